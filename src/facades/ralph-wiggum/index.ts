import type { StopHook } from './stop-hook.ts';
import { createStopHook } from './stop-hook.ts';

export type { StopContext, StopHook, StopHookOptions, StopReply } from './stop-hook.ts';
export type { VaultFolders } from './vault.ts';
export { createStopHook } from './stop-hook.ts';
export { newWiggumFile, ralphWiggum, ralphWiggumIn } from '../../dialects/ralph-wiggum/read.ts';

/** The hook with the document's own folders and parameters. */
export const stopHook: StopHook = createStopHook();

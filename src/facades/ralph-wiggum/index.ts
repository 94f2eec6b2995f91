import type { StopHook } from './stop-hook.ts';
import { createStopHook } from './stop-hook.ts';

export type { StopContext, StopHook, StopHookOptions, StopReply } from './stop-hook.ts';
export type { VaultFolders } from './vault.ts';
export { createStopHook } from './stop-hook.ts';
export { newWiggumFile } from '../../dialects/ralph-wiggum/write.ts';
export { ralphWiggum, ralphWiggumIn } from '../../dialects/ralph-wiggum/dialect.ts';

/** The hook with the document's own folders and parameters. */
export const stopHook: StopHook = createStopHook();

/** `tireless/supercode`: the Ralph Loop of SuperCode on the tireless engine, under the names of its document. */
export { createRalphCommands } from './commands.ts';
export type { RalphCommands, RalphCommandsOptions } from './commands.ts';
export { buildContinuationPrompt, detectCompletionPromise, detectInMessages, detectInTranscript } from './detector.ts';
export { createHookRegistry, getHookRegistry } from './hook-registry.ts';
export type { Hook, HookContext, HookRegistry, HookResult } from './hook-registry.ts';
export { createRalphLoopHook } from './hook.ts';
export type { RefusalListener, RalphLoop } from './hook.ts';
export { setLog } from './log.ts';
export type { LogSink } from './log.ts';
export { parseRalphArgs } from './ralph-args.ts';
export {
  CONTINUATION_PROMPT_TEMPLATE,
  DEFAULT_COMPLETION_PROMISE,
  DEFAULT_CONFIG,
  DEFAULT_CONTINUATION_DELAY,
  DEFAULT_MAX_ITERATIONS,
  HOOK_NAME,
} from './ralph-loop.ts';
export type {
  Message,
  RalphLoopConfig,
  RalphLoopHook,
  RalphLoopOptions,
  RalphLoopState,
  StartLoopOptions,
  Toast,
} from './ralph-loop.ts';
export { sessionLoopOf, withSessionLoop } from './session-loop.ts';
export type { SessionLoop, SessionState } from './session-loop.ts';
export { clearState, incrementIteration, readState, writeState } from './storage.ts';

export type { Milestone } from '../../core/milestones.ts';
export { TIME_IS_UP } from '../../core/overdue.ts';
export type { LoopTemplate } from '../../core/loop-templates.ts';
export { goalFrom, LOOP_TEMPLATES, loopTemplate } from '../../core/loop-templates.ts';
export type { ContinuationState } from '../../dialects/stravinsky/read.ts';
export type { NewContinuation } from '../../dialects/stravinsky/new-continuation.ts';
export { CONTINUATION_LOOP_FILE, DEFAULT_MAX_ITERATIONS } from '../../dialects/stravinsky/descriptor.ts';
export { CONTINUATION_PROMPT } from '../../dialects/stravinsky/words.ts';
export { continuationFromTodos, newContinuation } from '../../dialects/stravinsky/new-continuation.ts';
export { parseState } from '../../dialects/stravinsky/read.ts';
export type { Todo } from '../../dialects/todos.ts';
export {
  loopFromTodos,
  openTodos,
  parseTodos,
  readTodos,
  TODO_REMINDER_HEAD,
  todoReminder,
} from '../../dialects/todos.ts';
export type { MilestoneListener } from '../../engine/on-milestone.ts';
export { onMilestone } from '../../engine/on-milestone.ts';
export type { PromptHookInput, PromptReminder } from './prompt-hook.ts';
export { promptHook } from './prompt-hook.ts';
export { continuationLoopFile, readState, startLoop } from './state-file.ts';
export type { HookAnswer, StopHookInput, ToolHookInput } from './stop-hook.ts';
export { stopHook, toolHook } from './stop-hook.ts';

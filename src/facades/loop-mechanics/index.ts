export type { Score, RubricLine, Shape } from '../../core/rubric.ts';
export { scoreGoal } from '../../core/rubric.ts';
export type { Reply } from '../../dialects/dialect.ts';
export { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
export { classifyError } from '../../dialects/loop-mechanics/errors.ts';
export type { ParsedSpec } from '../../dialects/loop-mechanics/spec.ts';
export { parseSpec } from '../../dialects/loop-mechanics/spec.ts';
export type { ErrorClass, LoopError, LoopShape, LoopState } from '../../dialects/loop-mechanics/state.ts';
export { readLoopState } from '../../dialects/loop-mechanics/state.ts';
export { STATE_FILE } from '../../dialects/loop-mechanics/descriptor.ts';
export type { Task, TaskMetadata, TaskStatus } from '../../dialects/loop-mechanics/task.ts';
export { announcement, promptHook, promptHookText } from '../../dialects/loop-mechanics/words.ts';
export type { IterationResult } from './iterate.ts';
export type {
  CompleteResult,
  LoopMechanics,
  LoopMechanicsOptions,
  ResumeResult,
  StartResult,
  StartOptions,
} from './lifecycle.ts';
export { openLoopMechanics } from './lifecycle.ts';
export type { PauseReport } from './loop-session.ts';
export type { StepResult } from './step-result.ts';
export type { StopCheckOptions } from './stop-check.ts';
export { stopCheck } from './stop-check.ts';
export type { TaskReader, Tasks } from './tasks.ts';
export { claudeCodeTasks, fileTasks, stepsOfTasks } from './tasks.ts';

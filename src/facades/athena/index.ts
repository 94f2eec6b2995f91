/** `tireless/athena`: the programmatic interface of Athena's native loop control, on the engine of tireless. */
export { DEFAULT_TRACKER_TEMPLATE, defaultContinueMessage } from '../../dialects/athena/words.ts';
export type {
  ConfigReading,
  LoopConfig,
  OldLoopConfig,
  Workflow,
  WorkflowReading,
} from '../../dialects/athena/workflow.ts';
export { promptFor, readLoopConfig, readWorkflow } from '../../dialects/athena/workflow.ts';
export { cleanupOnExit } from './cleanup-on-exit.ts';
export { mapDecisionToResult } from './decision-mapper.ts';
export type { ControllerCallbacks, ControllerResult } from './hook-controller.ts';
export { handleEvent, loopCallbacks } from './hook-controller.ts';
export type { ForwardResult, HookReply } from './hook-forwarder.ts';
export { forwardEvent, forwardPayload } from './hook-forwarder.ts';
export type { HookServer, HookServerOptions } from './hook-server.ts';
export { startHookServer } from './hook-server.ts';
export type { Logger } from './logger.ts';
export type { EngineLoopManager, LoopManager, LoopManagerOptions } from './loop-manager.ts';
export { createLoopManager, hasActiveTracker } from './loop-manager.ts';
export type { LoopDecision, LoopState } from './loop-state.ts';
export type { DecisionSource, HookResult, HookRule, RuntimeDecision, RuntimeEvent, RuntimeIntent } from './runtime.ts';
export { trackerPathFor } from './tracker-path.ts';
export { loadWorkflow } from './workflow.ts';

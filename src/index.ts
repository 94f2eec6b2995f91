/** The library: the engine, stores and driver that the command line is made of. */
export * from './core/index.ts';
export type { LoopAgent, RunLoopOptions } from './entries/run-loop.ts';
export { runLoop } from './entries/run-loop.ts';
export type { AgentAnswer, AgentCall, AgentFunction } from './runner/agents/function.ts';
export type { Progress } from './terminal/display.ts';
export type { AgentCaller, SessionVariable } from './engine/agent-caller.ts';
export { findAgentCaller, markNames } from './engine/agent-caller.ts';
export type { OpenRequests } from './engine/answer-request.ts';
export { answerable, answerEvent, answerReport, findOpenRequests } from './engine/answer-request.ts';
export type { ArmRequest, ArmedLoop, ArmSteps, Conflict } from './engine/arm-loop.ts';
export { armLoop } from './engine/arm-loop.ts';
export type { LoopChoice, LoopQuery } from './engine/choose-loop.ts';
export { chooseLoop, namesLoop } from './engine/choose-loop.ts';
export { continueInSession } from './engine/continue-loop.ts';
export type { ControlWorld } from './engine/control.ts';
export { embeddedControl, embeddedEffects } from './engine/control.ts';
export type { Milestone } from './core/milestones.ts';
export { milestonesOf } from './core/milestones.ts';
export { handleEvent } from './engine/handle-event.ts';
export type { ImportedLoop } from './engine/import-loop.ts';
export { importedFrom, specOfImported, startImported } from './engine/import-loop.ts';
export { newSpec } from './engine/new-spec.ts';
export { nextDriver } from './engine/next-driver.ts';
export type { MilestoneListener, MilestoneSource } from './engine/on-milestone.ts';
export { onMilestone } from './engine/on-milestone.ts';
export type { OwnPaths } from './engine/people-only.ts';
export { peopleOnlyIn, refusalOf } from './engine/people-only.ts';
export type { Pipeline } from './engine/pipeline.ts';
export { runAsync, runSync } from './engine/pipeline.ts';
export type { PostPorts, PostResult } from './engine/post-event.ts';
export { postFromOutside } from './engine/post-event.ts';
export type { PrunePlan, PruneResult, Pruner, Stray } from './engine/prune-loops.ts';
export { planPrune, prunePlanned } from './engine/prune-loops.ts';
export type { ReleasePorts } from './engine/release-loop.ts';
export { releaseIfEnded } from './engine/release-loop.ts';
export type { RepositoryConfig } from './engine/repository-policy.ts';
export { hasCommands, lowerLimits, trustedConfig } from './engine/repository-policy.ts';
export type { IsDriven, ResumeResult } from './engine/resume-loop.ts';
export { resumable, resumeLoop } from './engine/resume-loop.ts';
export { openLoopOf, openLoopsInProject, refuseMove } from './engine/session-loops.ts';
export type { SpecRequest } from './engine/spec/build-spec.ts';
export { buildSpec } from './engine/spec/build-spec.ts';
export type { Configs } from './engine/spec/config-defaults.ts';
export type {
  AgentOptions,
  CheckOptions,
  KnownAgents,
  OptionName,
  OptionSource,
  RoomOptions,
  SpecOptions,
} from './engine/spec/options.ts';
export { startLoop } from './engine/start-loop.ts';
export { moveToSession } from './engine/take-over.ts';
export type { ToolAnswer } from './engine/tool-request.ts';
export { handleToolRequest } from './engine/tool-request.ts';
export { withUniqueNames } from './engine/unique-check-names.ts';
export { cancellingUnrunnable, unrunnableCheckIn } from './engine/unrunnable-check.ts';
export type { WakeWorld } from './engine/wait-to-wake.ts';
export { waitToWake } from './engine/wait-to-wake.ts';
export type * from './engine/ports.ts';
export { createProbes } from './evidence/probe.ts';
export type { CheckUpdate, Probes, ProbeWorld } from './evidence/probe.ts';
export { commandAgent } from './runner/agents/command.ts';
export type { CommandAgentOptions } from './runner/agents/command.ts';
export { driveLoop } from './runner/drive-loop.ts';
export type { ActivityLine } from './core/activity-line.ts';
export type { DriveEnd, DriveOptions, ProgressUpdate } from './runner/drive-context.ts';
export { openFileStore } from './stores/file-store.ts';
export type { FileStore, FileStoreOptions } from './stores/file-store.ts';
export { openMemoryStore } from './stores/memory-store.ts';
export { openTrust } from './stores/trust.ts';
export type { Trust, TrustAnswer } from './stores/trust.ts';
export { readHeartbeat, writeHeartbeat } from './stores/heartbeat.ts';
export { systemClock } from './system/clock.ts';
export type { Clock } from './system/clock.ts';
export { newLoopId } from './system/ids.ts';
export { currentPlatform, tirelessHome } from './system/paths.ts';
export { thisWorker } from './system/worker-identity.ts';
export { viewOf } from './views/loop-view.ts';
export type { LoopView } from './views/loop-view.ts';

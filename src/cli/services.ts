import type { FailedTurn } from '../core/event.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import type { AgentCaller } from '../engine/agent-caller.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import type { Control, Loaded, Store } from '../engine/ports.ts';
import type { Pruner } from '../engine/prune-loops.ts';
import type { UnrunnableCheck } from '../engine/unrunnable-check.ts';
import type { WakeWorld } from '../engine/wait-to-wake.ts';
import type { CheckJob, SessionWorld } from '../hook/hook-world.ts';
import type { DriveEnd } from '../runner/drive-context.ts';
import type { Progress } from '../terminal/display.ts';
import type { AgentTool } from './agent-tools.ts';
import type { Io } from './io.ts';
import type { RoomService } from './room-service.ts';

/** What the commands need from layers they must not import. Composed in `entries`, and opened only when a command needs it. */
export type Services = {
  /** Throws `HOME_UNUSABLE` if there is no place for loops. */
  readonly home: () => string;
  /** Reading needs no probes: `status` and `list` open only this. */
  readonly store: () => Promise<Store>;
  readonly control: () => Promise<Control>;
  readonly trust: () => Promise<TrustStore>;
  /** The code of a dialect, loaded when it is needed. */
  readonly dialect: (name: DialectName) => Promise<Dialect>;
  /** The foreign state file of a loop; `undefined` = it has none, or its dialect is unknown to this version. */
  readonly liveFile: (spec: Spec, cwd: string) => Promise<LiveFile | undefined>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
  /** The ports of a hook: the engine's effects, and everything a host's decoder may read. */
  readonly session: () => Promise<SessionWorld>;
  /** Records the process that runs the session of a loop and started this one, so that it can be recognised later. */
  readonly noteSession: (loop: LoopId, session: SessionRef) => Promise<void>;
  /** The processes that run the sessions of loops in state files. */
  readonly sessionProcesses: () => Promise<SessionProcesses>;
  /** `true` = recorded for this loop for the first time. */
  readonly noteOnce: (loop: LoopId, what: string) => Promise<boolean>;
  /** For a process that wakes the agent of a session after a failed turn. `transcript`: of the session, if known. */
  readonly wakeWorld: (host: string, transcript: string | undefined) => Promise<WakeWorld>;
  readonly hookLeftMs: () => number;
  readonly hurryHook: () => void;
  /** How long the settings let the hook of a stop run, if that is less than was installed; otherwise `null`. */
  readonly shortStopSeconds: () => number | null;
  readonly failedTurn: (session: SessionRef, transcript: string | null) => Promise<FailedTurn | undefined>;
  /** What is known about the session of a loop. `inHook`: the caller's host started this process. */
  readonly sessionSigns: (loaded: Loaded, inHook: boolean) => Promise<SessionSigns>;
  /** The output of a loop's agent and checks: each call returns the lines added since the previous call. */
  readonly logs: (loop: LoopId) => Promise<() => readonly string[]>;
  /** The last of these lines. */
  readonly lastActivity: (loop: LoopId) => Promise<readonly string[]>;
  /** Checks of a session that run outside its hook. */
  readonly jobs: (loop: LoopId) => Promise<readonly CheckJob[]>;
  /** Ends them, because nobody waits for them any more. */
  readonly endJobs: (loop: LoopId) => Promise<void>;
  readonly drive: (request: DriveRequest) => Promise<DriveResult>;
  readonly rooms: () => Promise<RoomService>;
  /** Offers the tools to an agent over its protocol, until the agent exits. */
  readonly serveMcp: (tools: readonly AgentTool[]) => Promise<void>;
  /** Removes every trace of a loop that was only a trial. */
  readonly forget: (loop: LoopId, session: SessionRef | null) => Promise<void>;
  readonly pruner: () => Promise<Pruner>;
  /** The agent that calls this program, by the marks it carries; `null` = there is none. */
  readonly agentCaller: () => Promise<AgentCaller | null>;
  /** For an agent that dropped its marks, recognised by the ancestors of this process. */
  readonly placedCaller: () => Promise<AgentCaller | null>;
  /** The same services, with loops stored elsewhere. */
  readonly at: (home: string) => Services;
};

type TrustStore = {
  readonly ask: (file: string, content: string) => 'allowed' | 'denied' | 'unknown' | 'changed';
  readonly allow: (file: string, content: string) => void;
  readonly deny: (file: string) => void;
  readonly forgetDenial: (file: string) => void;
};

export type DriveRequest = {
  readonly loop: LoopId;
  readonly show: (progress: Progress) => void;
  /** Wait for the end of a usage limit instead of leaving the loop paused. */
  readonly wait: boolean;
  readonly allowMissingCheck: boolean;
};

export type DriveResult = {
  readonly loaded: Loaded;
  readonly ended: DriveEnd['ended'];
  /** A check that cannot be run at all, found before the agent began; the loop was cancelled. */
  readonly notRunnable: UnrunnableCheck | null;
};

/** `calledAs`: how the user calls this program, if plain `tireless` would look for the loop in another home. */
export type World = Io & { readonly services: Services; readonly calledAs?: string };

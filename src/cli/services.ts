import type { FailedTurn } from '../core/event.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import type { AgentCaller } from '../engine/agent-caller.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { SessionPrograms } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import type { Control, Loaded, Store } from '../engine/ports.ts';
import type { Pruner } from '../engine/prune-loops.ts';
import type { Unrunnable } from '../engine/unrunnable-check.ts';
import type { WakeWorld } from '../engine/wait-to-wake.ts';
import type { CheckJob, SessionWorld } from '../hook/hook-world.ts';
import type { DriveEnd } from '../runner/drive-context.ts';
import type { Progress } from '../terminal/display.ts';
import type { AgentTool } from './agent-tools.ts';
import type { Io } from './io.ts';
import type { RoomService } from './room-service.ts';

/** What the commands need from layers they must not import. Composed in `entries`, opened only when a command asks. */
export type Services = {
  /** Throws `HOME_UNUSABLE` when there is no place for loops. */
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
  /** What a hook works with: the engine's effects, and what a host's decoder may read. */
  readonly session: () => Promise<SessionWorld>;
  /** Notes that the program running the session of a loop has started this process, so that it can be recognized later. */
  readonly noteSession: (loop: LoopId, session: SessionRef) => Promise<void>;
  /** The programs that run the sessions of loops in state files. */
  readonly sessionPrograms: () => Promise<SessionPrograms>;
  /** `true` = this is noted for the loop for the first time. */
  readonly noteOnce: (loop: LoopId, what: string) => Promise<boolean>;
  /** For a process that wakes the agent of a session after a failed turn. `transcript`: of the session, if known. */
  readonly wakeWorld: (host: string, transcript: string | undefined) => Promise<WakeWorld>;
  readonly hookLeftMs: () => number;
  readonly hurryHook: () => void;
  /** How long the settings let the hook of a stop run, if that is less than was installed; `null` = it is not. */
  readonly shortStopSeconds: () => number | null;
  readonly failedTurn: (session: SessionRef, transcript: string | null) => Promise<FailedTurn | undefined>;
  /** What can be seen of the session of a loop. `inHook`: this process was started by the caller's host. */
  readonly sessionSigns: (loaded: Loaded, inHook: boolean) => Promise<SessionSigns>;
  /** What the agent and the checks of a loop printed: each call returns the lines added since the previous call. */
  readonly logs: (loop: LoopId) => Promise<() => readonly string[]>;
  /** The last of these lines. */
  readonly lastActivity: (loop: LoopId) => Promise<readonly string[]>;
  /** Checks of a session that run outside its hook. */
  readonly jobs: (loop: LoopId) => Promise<readonly CheckJob[]>;
  /** Ends them: nobody waits for them any more. */
  readonly endJobs: (loop: LoopId) => Promise<void>;
  readonly drive: (request: DriveRequest) => Promise<DriveResult>;
  readonly rooms: () => Promise<RoomService>;
  /** Offers the tools to an agent over its protocol, until the agent is gone. */
  readonly serveMcp: (tools: readonly AgentTool[]) => Promise<void>;
  /** Removes every trace of a loop that was only a trial. */
  readonly forget: (loop: LoopId, session: SessionRef | null) => Promise<void>;
  readonly pruner: () => Promise<Pruner>;
  /** The agent that calls this program, by the marks it carries; `null` = there is none. */
  readonly agentCaller: () => Promise<AgentCaller | null>;
  /** The same for an agent that dropped its marks, by where this process comes from. */
  readonly placedCaller: () => Promise<AgentCaller | null>;
  /** The same services, with loops stored elsewhere. */
  readonly at: (home: string) => Services;
};

type TrustStore = {
  readonly ask: (file: string, content: string) => 'allowed' | 'denied' | 'unknown';
  readonly allow: (file: string, content: string) => void;
  readonly deny: (file: string) => void;
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
  readonly notRunnable: Unrunnable | null;
};

/** `calledAs`: how the user calls this program, if plain `tireless` would look for the loop in another home. */
export type World = Io & { readonly services: Services; readonly calledAs?: string };

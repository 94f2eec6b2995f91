import type { FailedTurn, TypedCommand } from '../core/event.ts';
import type { CheckResult } from '../core/evidence.ts';
import type { Limits, LoopId, SessionRef, Spec } from '../core/loop.ts';
import type { EarlierReport, Moment, Report } from '../core/same-report.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import type { AgentCaller } from '../engine/agent-caller.ts';
import type { ArmedLoop, Conflict } from '../engine/arm-loop.ts';
import type { ContinueOptions } from '../engine/continue-loop.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import type { AsyncEffects, Control, Loaded, Store } from '../engine/ports.ts';
import type { Host, HostEnvironment } from '../hosts/host.ts';
import type { HostId } from '../hosts/ids.ts';

/** The ports of the hook: everything it needs from the layers it must not import. The composition root provides them. */
export type HookWorld = {
  readonly env: HostEnvironment['variables'];
  /** The project as one real path, whichever link led there. Throws `PROJECT_MISSING`. */
  readonly projectDirectory: (cwd: string) => string;
  readonly pause: (ms: number) => Promise<void>;
  readonly files: HookFiles;
  readonly services: HookServices;
  readonly policies: LoopPolicies;
  readonly typedCommands: TypedCommands;
};

/** State files of dialects, before the engine reads and writes them. Paths are absolute. None of these functions throws for a missing file. */
export type HookFiles = {
  readonly pathOf: (project: string, file: string) => string;
  /** The names in a folder. */
  readonly list: (folder: string) => readonly string[];
  /** When a file was last written, on the wall clock; `undefined` = there is none. */
  readonly modifiedMs: (file: string) => number | undefined;
  /** `undefined` = there is no such file. */
  readonly read: (file: string) => string | undefined;
  /** Removes leftovers of a killed write to this file. */
  readonly removeLeftovers: (file: string) => void;
};

/** Each is opened at its first use: most events need only one of them. */
type HookServices = {
  readonly store: () => Promise<Store>;
  readonly control: () => Promise<Control>;
  readonly session: () => Promise<SessionWorld>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
  /** The agent that runs this process, by the marks it carries. */
  readonly agentCaller: () => Promise<AgentCaller | null>;
  readonly home: () => string;
  readonly noteSession: (loop: LoopId, session: SessionRef) => Promise<void>;
  readonly sessionProcesses: () => Promise<SessionProcesses>;
  /** `true` = recorded for this loop for the first time. */
  readonly noteOnce: (loop: LoopId, what: string) => Promise<boolean>;
  readonly sessionSigns: (loaded: Loaded, inHook: boolean) => Promise<SessionSigns>;
  /** The last turn of a session, if it failed and its transcript shows it. */
  readonly failedTurn: (session: SessionRef, transcript: string | null) => Promise<FailedTurn | undefined>;
  /** How much longer this hook may run. */
  readonly hookLeftMs: () => number;
  /** From now on this hook waits for no check. */
  readonly hurryHook: () => void;
  /** How long the settings let the hook of a stop run, if that is less than was installed; otherwise `null`. */
  readonly shortStopSeconds: () => number | null;
  /** Checks of a session that run outside its hook. */
  readonly jobs: (loop: LoopId) => Promise<readonly CheckJob[]>;
};

/** Starting, moving and releasing a loop: more than one entry of its journal, and more than the store. */
type LoopPolicies = {
  /** Throws `LOOP_STATE` if the session has an open loop, and `CHECK_NOT_RUNNABLE`, after which the loop is cancelled. */
  readonly armLoop: (request: ArmRequest) => Promise<ArmedLoop>;
  /** From now on the loop belongs to this session, and runs. Throws `LOOP_STATE`, `LOOP_BUSY` and `USAGE`. */
  readonly continueLoop: (loaded: Loaded, session: SessionRef, how: ContinueOptions) => Promise<ArmedLoop>;
  /** What else, besides tireless, keeps the agent of this session going. */
  readonly otherLoopsIn: (place: SessionPlace) => Promise<readonly Conflict[]>;
  /** The open loops, after changes to the state files of this project were applied. */
  readonly openLoops: (cwd: string) => Promise<readonly Loaded[]>;
  /** The state files in the project whose loops this session drives from its next stop on. */
  readonly waitingFiles: (session: SessionRef, cwd: string) => Promise<readonly WaitingLoop[]>;
  /** Ends the checks of a loop that has ended, and removes hooks that were installed for it alone. */
  readonly releaseLoop: (loaded: Loaded) => Promise<void>;
};

type SessionPlace = { readonly session: SessionRef; readonly cwd: string; readonly transcriptPath: string | null };

/** A loop that begins at the next stop: so far only its file exists. */
export type WaitingLoop = {
  /** Relative to the project. */
  readonly file: string;
  /** As in `tireless status`. */
  readonly lines: readonly string[];
  readonly cancel: () => Promise<Loaded>;
};

/** What the command line knows about options, for commands typed in a session. */
type TypedCommands = {
  /**
   * The text after `/ralph`, typed in `session`, as a request, read in the project `cwd`. Throws `USAGE`, and anything that reading the
   * project throws.
   */
  readonly parseStart: (text: string, cwd: string, session: SessionRef) => Promise<StartOptions>;
  /** For `--resume [LOOP] [--force] [limits]`; `null` = it is something else. */
  readonly parseResume: (text: string) => TypedResume | null;
  /** The user's own command of this name; `undefined` = there is none. */
  readonly usersOwn: (host: HostId, command: TypedCommand, cwd: string) => Promise<UserCommand | undefined>;
  /** The commands that seem to test this project. */
  readonly guessChecks: (project: string) => Promise<readonly string[]>;
  /** An option in the middle of a goal, such as `--check`: a quote may be unclosed. */
  readonly optionIn: (goal: string) => string | undefined;
  /** The lines of `tireless status` for one loop. `prefix`: it is shown in its own session, where commands begin with this. */
  readonly statusLines: (loaded: Loaded, prefix?: string) => Promise<readonly string[]>;
};

/** `given`: the loop, or the beginning of its id. */
export type TypedResume = {
  readonly given: string | undefined;
  readonly force: boolean;
  readonly limits: Partial<Limits>;
};

/** `isHidden`: the host reads our file instead, so only we can pass it on. `isOtherKnown`: can ours be typed by its other name? */
export type UserCommand = {
  readonly file: string;
  readonly text: string;
  readonly isHidden: boolean;
  readonly isOtherKnown: boolean;
};

type StartOptions = {
  readonly loop: LoopId;
  readonly spec: Spec;
  /** The project, a real path. */
  readonly cwd: string;
  readonly allowMissingCheck: boolean;
};

type ArmRequest = StartOptions & {
  readonly session: SessionRef;
  readonly deliversPrompt: true;
  /** Of the session, if the host names it. */
  readonly transcript?: string | null;
};

export type SessionWorld = {
  readonly effects: AsyncEffects;
  /** This process handles an event of a host, which ends it after some time: from now on every wait respects that. */
  readonly limitTime: (place: HookCallPlace) => void;
  /** Removes the results of checks that outlasted an earlier stop: this stop has used them. */
  readonly forgetChecks: (loop: LoopId) => void;
  readonly hostEnvironment: Omit<HostEnvironment, 'variables'>;
  readonly reports: ReportLog;
  /** Does a goal of the host itself drive the session that wrote this transcript? */
  readonly hasNativeGoal: (host: Host, transcript: string) => boolean;
};

/** `event`: the host's name for the event. `cwd`: its project. */
export type HookCallPlace = { readonly host: HostId; readonly event: string; readonly cwd: string };

/** The recent reports of hooks about each session, in order. Neither function throws. */
type ReportLog = {
  readonly now: () => Moment;
  /** Records that this process reports it. `earlier`: reports of others that have been answered or are still in progress. */
  readonly note: (session: SessionRef, report: Report) => NotedReport;
};

type NotedReport = {
  readonly earlier: readonly EarlierReport[];
  /** This report has its reply. */
  readonly close: () => void;
};

/** `results`: `null` = it is still running, or its process is dead. Never those of hold-out checks. */
export type CheckJob = { readonly results: readonly CheckResult[] | null; readonly alive: boolean };

import type { CheckResult } from '../core/evidence.ts';
import type { Event } from '../core/event.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Dialect, Words } from '../dialects/dialect.ts';
import type { Extras } from '../engine/dialect-loop.ts';
import type { AsyncEffects, Control, Loaded, Store, TurnReport } from '../engine/ports.ts';
import type { HostEnvironment } from '../hosts/host.ts';
import type { DriveEnd } from '../runner/drive.ts';
import type { Progress } from '../terminal/display.ts';
import type { Io } from './io.ts';

/** What the commands need of the layers they may not know. Composed in `entries`, opened only when a command asks. */
export type Services = {
  /** Throws `HOME_UNUSABLE` when there is no place for loops. */
  readonly home: () => string;
  /** Reading needs no probes: `status` and `list` open only this. */
  readonly store: () => Promise<Store>;
  readonly control: () => Promise<Control>;
  readonly trust: () => Promise<TrustStore>;
  /** Foreign state files by name, each loaded when it is asked for; `undefined` = there is no such dialect. */
  readonly dialect: (name: string) => Promise<Dialect | undefined>;
  readonly ways: (name: string) => Promise<DialectWays>;
  /** What a hook works with: the engine's effects, and what a host's decoder may look at. */
  readonly session: () => Promise<SessionWorld>;
  /** Checks of a session that run outside of its hook. */
  readonly jobs: (loop: LoopId) => Promise<readonly CheckJob[]>;
  /** Nobody waits for them any more. */
  readonly endJobs: (loop: LoopId) => Promise<void>;
  readonly drive: (request: DriveRequest) => Promise<Driven>;
  /** Removes every trace of a loop that only tried something out. */
  readonly forget: (loop: LoopId, session: SessionRef | null) => Promise<void>;
  /** The same, with loops kept somewhere else. */
  readonly at: (home: string) => Services;
};

/** What a document does beyond its state file. */
export type DialectWays = {
  /** What a new session is told about the loop in this file; `null` = nothing. */
  readonly announce?: (
    text: string,
    beginning: { readonly session: SessionRef; readonly loop: Loaded | null },
  ) => string | null;
  /** What it keeps beside the file, after a stop was answered. */
  readonly settle?: (project: string) => void;
  /** Its stop has more to it than one file: folders to look into, people to wait for. */
  readonly stop?: (request: StopRequest) => Promise<Words>;
  /** Makes the folder of a new state file where the document says more about it than that it exists. Absolute path. */
  readonly prepare?: (file: string) => void;
  /** What the agent is told before it reads a prompt of the user. No loop is moved by that. */
  readonly remind?: (request: RemindRequest) => Promise<Reminder>;
};

type RemindRequest = {
  readonly project: string;
  readonly session: string;
  /** The list of TODOs the user named; `undefined` = where the document looks. */
  readonly todos: string | undefined;
  readonly env: Io['env'];
};

/** Empty = nothing to say. `notice` is for the user's eyes. */
export type Reminder = { readonly text: string; readonly notice?: string };

type StopRequest = {
  readonly project: string;
  readonly session: SessionRef;
  readonly event: Event;
  readonly report: TurnReport;
  readonly extras: Extras;
  /** The longest wait before the reply. */
  readonly delayMaxMs: number;
};

export type SessionWorld = {
  readonly effects: AsyncEffects;
  /** A stop was judged: answers of checks that outlasted an earlier one are used up. */
  readonly forgetChecks: (loop: LoopId) => void;
  readonly look: Omit<HostEnvironment, 'variables'>;
  /** Does a goal of the host itself drive the session that wrote this transcript? */
  readonly hasNativeGoal: (transcript: string) => boolean;
};

/** `results`: `null` = it still runs, or whoever ran it is dead. Never of hold-out checks. */
export type CheckJob = { readonly results: readonly CheckResult[] | null; readonly alive: boolean };

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

export type Driven = {
  readonly loaded: Loaded;
  readonly ended: DriveEnd['ended'];
  /** A check that cannot be run at all, found before the agent began; the loop was cancelled. */
  readonly notRunnable: { readonly name: string; readonly tail: string } | null;
};

/** `typed`: how the user calls this program, when plain `tireless` would look for the loop in another home. */
export type World = Io & { readonly services: Services; readonly typed?: string };

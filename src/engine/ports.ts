import type { Decision } from '../core/decision.ts';
import type { Event, FailedTurn, Failure } from '../core/event.ts';
import type { ApprovalDue, CheckResult, ClockReading, Evidence, ProtectedFacts, Usage } from '../core/evidence.ts';
import type { Entry, Loop } from '../core/journal.ts';
import type { RoomBaseline, RoomFacts } from '../core/room.ts';
import type { CheckSpec, Limit, LoopId, ProtectedMark, SessionRef, Spec, Worker } from '../core/loop.ts';

/** The newest committed entry, which the next one has to follow. */
export type Head = { readonly revision: number; readonly hash: string };

export type Loaded = Loop & { readonly head: Head };

/** An entry before the store has put it into the chain. */
export type Draft = Omit<Entry, 'v' | 'revision' | 'prev'>;

export type CommitResult = { readonly kind: 'committed'; readonly loaded: Loaded } | { readonly kind: 'conflict' };

/** What tireless examines itself. Never throws: what cannot be determined is `unknown` or `null`. */
export type ProbeRequest =
  | { readonly kind: 'check'; readonly check: CheckSpec }
  /** `except`: a bookkeeping file, relative to the project; changing it is not work. */
  | { readonly kind: 'workspace'; readonly except?: string }
  | { readonly kind: 'protected'; readonly globs: readonly string[]; readonly accepted: ProtectedMark | null }
  /** Which of these lines are ticked in the tracker? */
  | { readonly kind: 'criteria'; readonly tracker: string; readonly texts: readonly string[] }
  | { readonly kind: 'holder'; readonly worker: Worker }
  /**
   * Keep a copy of the project. The answer is a baseline without fits. `settles`: the copy already made, since which only checks have run;
   * what they wrote into dependency folders is not a change.
   */
  | { readonly kind: 'room-copy'; readonly spec: Spec; readonly settles?: RoomBaseline & { readonly kind: 'kept' } }
  /** Try the checks in a room of that copy. `results`: their results in the work tree. */
  | {
      readonly kind: 'room-baseline';
      readonly spec: Spec;
      readonly copy: RoomBaseline & { readonly kind: 'kept' };
      readonly results: readonly CheckResult[];
    }
  /** Make the room and run these checks in it. */
  | {
      readonly kind: 'room';
      readonly spec: Spec;
      readonly checks: readonly CheckSpec[];
      readonly baseline: RoomBaseline;
    }
  /** The hash of the work as a commit would contain it. */
  | { readonly kind: 'work'; readonly spec: Spec; readonly baseline: RoomBaseline };

export type ProbeAnswer =
  | { readonly kind: 'check'; readonly result: CheckResult }
  | { readonly kind: 'workspace'; readonly fingerprint: string | null }
  | { readonly kind: 'protected'; readonly facts: ProtectedFacts }
  | { readonly kind: 'criteria'; readonly met: readonly string[] }
  | { readonly kind: 'holder'; readonly alive: boolean; readonly seen: ClockReading | null }
  | { readonly kind: 'room-baseline'; readonly baseline: RoomBaseline }
  | { readonly kind: 'room'; readonly facts: RoomFacts }
  | { readonly kind: 'work'; readonly hash: string | null };

export type ProbeBatch = {
  readonly loop: LoopId;
  readonly cwd: string;
  readonly requests: readonly ProbeRequest[];
  readonly inOrder: boolean;
  /** Authenticate answers that were computed after an earlier look; absent = there are none. */
  readonly vouchers?: readonly string[];
  /** A late answer is not enough: run the checks that passed late again. */
  readonly again?: true;
};

/**
 * Everything a pipeline may request from the world, as plain functions. A pipeline yields the call as data and never makes it
 * itself, so that the same pipeline runs synchronously (hook, facades) and asynchronously (outer driver, fleet).
 */
export type Effects = {
  readonly readClock: () => ClockReading;
  readonly load: (loop: LoopId) => Loaded | undefined;
  /** Writes the first entry. `conflict` = the id is taken. */
  readonly create: (loop: LoopId, draft: Draft) => CommitResult;
  readonly commit: (loop: LoopId, head: Head, draft: Draft) => CommitResult;
  /** Answers in the order of the requests. */
  readonly probe: (batch: ProbeBatch) => readonly ProbeAnswer[];
  readonly newLoop: () => { readonly loop: LoopId; readonly machine: string };
  readonly bindSession: (session: SessionRef, loop: LoopId) => void;
  /** Binds only once: of all callers that replace `was`, the first wins. Returns the winner's loop. */
  readonly bindFirst: (session: SessionRef, loop: LoopId, was: LoopId | undefined) => LoopId;
  readonly loopOfSession: (session: SessionRef) => LoopId | undefined;
  /** `null` = there is no such file. Absolute path. */
  readonly readFile: (file: string) => FoundBytes | null;
  readonly hashText: (text: string) => string;
  /**
   * By atomic rename, and only if the file is unchanged (`was`, a hash; `null` = absent). `text: null` removes it; `loop`: the loop it is
   * removed for, which keeps its content.
   */
  readonly replaceFile: (
    file: string,
    was: string | null,
    text: string | null,
    loop?: LoopId,
  ) => 'replaced' | 'changed';
  /** Throws if this text cannot be written beside the file: a test before the commit. Changes nothing. */
  readonly tryWrite: (file: string, text: string) => void;
  /** Durably counts one more turn of the loops in a project's state files, and returns the number of turns on that day (`2026-01-31`). */
  readonly countTurn: (project: string, day: string) => number;
};

/** `changedMs`: when the bytes last changed, on the wall clock; absent = unknown. `isOurs`: whether `replaceFile` wrote them; absent = unknown. */
export type FoundBytes = {
  readonly text: string;
  readonly hash: string;
  readonly changedMs?: number;
  readonly isOurs?: boolean;
};

export type AsyncEffects = {
  readonly [K in keyof Effects]: (
    ...input: Parameters<Effects[K]>
  ) => ReturnType<Effects[K]> | Promise<ReturnType<Effects[K]>>;
};

/** The raw report of the host or the agent about a turn. Becomes evidence; never journaled whole. */
export type TurnReport = {
  readonly message?: string;
  /**
   * All messages of the agent in this turn, including `message`, if the host keeps a transcript. `reply`: the first line of our last reply,
   * if that reply began the turn. A function, because most stops do not need it.
   */
  readonly turnText?: (reply: string) => string;
  /** The agent's last words before the turn failed, according to its transcript; perhaps from the turn before. For people to read. */
  readonly lastMessage?: () => string;
  readonly usage?: Usage;
  /** What the whole loop has cost, if a document keeps track of it. */
  readonly costTotalUsd?: number;
  readonly toolCalls?: number;
  readonly backgroundWork?: boolean;
  /** What the host calls that work, one name each. */
  readonly backgroundTasks?: readonly string[];
  /** The hook has waited for that work, which is still running. */
  readonly outlasted?: true;
  /** The user typed something that waits for the end of this turn, or interrupted it. The stop belongs to the user and is not judged. */
  readonly userFirst?: true;
  /** Reported from outside the loop's session: no agent receives the resulting prompt. */
  readonly noReply?: true;
  /** Nobody sees the reply to this. */
  readonly unseen?: true;
  /** Nobody works until a turn begins in the session: the turn of a document's loop failed there, or its loop is resumed from outside. */
  readonly rests?: true;
  /** How long ago the agent was last at work, according to its transcript. A function, because most events do not need it. `undefined` = unknown. */
  readonly idleMs?: () => number | undefined;
  /** How long the agent has waited for the user since then (epoch milliseconds), according to its transcript. */
  readonly dialogMs?: (sinceMs: number) => number;
  /** When the agent first worked after this time, epoch milliseconds; `undefined` = nothing shows it. Used after a dialog that the host reported. */
  readonly answeredMs?: (sinceMs: number) => number | undefined;
  /** The last turn failed, according to its transcript. For events of a user who returns. */
  readonly failedTurn?: FailedTurn;
  /** `false`: according to the host, the user began this turn, not our last reply. */
  readonly sentBack?: boolean;
  /** After how many replies in a row the host stops obeying them. */
  readonly repliesInRowMax?: number;
  /** The agent has used a tool since our last reply, and this host then restarts its count. */
  readonly newRow?: true;
  /** The host reports when the agent forgets (a compaction), and the agent then gets everything again. */
  readonly remembers?: true;
  /** According to the host, the conversation has no room for another turn. */
  readonly contextFull?: boolean;
  /** When the reporting process began, on the monotonic clock. A function, because most stops do not need it. Absent = unknown. */
  readonly beganMs?: () => number;
  /** Signs of progress besides the files, as one text. */
  readonly progress?: string;
  readonly approvalDue?: ApprovalDue;
  /** How many turns a day the loops in the state files of this project may take; absent = the default. */
  readonly dayTurnsMax?: Limit;
  /** Criteria that are met according to the dialect's file. */
  readonly criteriaMet?: readonly string[];
};

/**
 * `loaded`: the loop after the event; absent = there is none. `prompt`: the prompt to deliver now. `earlier`: the result of an event posted
 * first in the same call.
 */
export type Handled = {
  readonly decision: Decision;
  readonly evidence?: Evidence;
  readonly loaded?: Loaded;
  readonly prompt?: string;
  readonly earlier?: Loaded;
};

/** The durable home of loops. One commit point per implementation, named in its header. Throws only `Fault`. */
export type Store = Pick<Effects, 'load' | 'create' | 'commit' | 'bindSession' | 'bindFirst'> & {
  /** Every committed entry, oldest first; checks the whole chain. */
  readonly entries: (loop: LoopId) => readonly Entry[];
  readonly list: (filter: ListFilter) => readonly Loaded[];
  /** Calls back after every commit by anyone, until stopped. May coalesce: read the loop again. */
  readonly watch: (loop: LoopId, changed: () => void) => { stop(): void };
  /** One derived path, no directory scan. */
  readonly loopOfSession: (session: SessionRef) => LoopId | undefined;
};

export type ListFilter = { readonly ended: boolean | 'both' };

/** One interface for CLI, hook, dashboard and library, whether the loop lives in files or in a fleet. */
export type Control = {
  readonly start: (request: StartRequest) => Promise<Loaded>;
  readonly post: (loop: LoopId, event: Event, report?: TurnReport) => Promise<Handled>;
  readonly cancel: (loop: LoopId) => Promise<Handled>;
  readonly get: (loop: LoopId) => Promise<Loaded | undefined>;
  readonly list: (filter: ListFilter) => Promise<readonly Loaded[]>;
  readonly entries: (loop: LoopId) => Promise<readonly Entry[]>;
  readonly watch: (loop: LoopId, changed: () => void) => { stop(): void };
};

export type StartRequest = {
  readonly loop: LoopId;
  readonly spec: Spec;
  readonly session: SessionRef | null;
  readonly cwd: string;
  readonly machine: string;
};

/** What an agent does while it works. The last activity of a turn is always `ended`; the stream never throws. */
export type AgentActivity =
  | { readonly kind: 'output'; readonly stream: 'message' | 'diagnostics'; readonly text: string }
  | { readonly kind: 'tool-used'; readonly tool: string; readonly detail: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** The agent is at work, but there is nothing to show. `toolsRunning`: begun and not ended, from here on. `usage`: of the turn so far. */
  | { readonly kind: 'alive'; readonly toolsRunning?: number; readonly usage?: Usage }
  | { readonly kind: 'ended'; readonly end: TurnEnd };

/** `message`: the end of the agent's message, bounded. */
export type TurnEnd = {
  readonly message: string;
  readonly toolCalls?: number;
  readonly usage?: Usage;
  /** Absent = the turn ended normally. */
  readonly failure?: Failure;
};

export type AgentTurn = { readonly loop: LoopId; readonly iteration: number; readonly cwd: string };

/** A worker behind a port: a command, an ACP client, a headless CLI. One session per iteration, one or more prompts in it. */
export type Agent = {
  readonly name: string;
  readonly open: (turn: AgentTurn) => Promise<AgentSession>;
};

export type AgentSession = {
  /** Streams the turn. After `cancel` it still ends with `ended`. */
  readonly prompt: (text: string) => AsyncIterable<AgentActivity>;
  /** Ends the turn and all of its processes. Resolves when none of them is left. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * A line with one character per byte; `textOf` decodes it. Everything we search for is plain ASCII, and string operations load less of Node
 * than buffers do.
 */
export type RawLine = string;

/** Smaller bounds than usual: for tests, and for readers that search only the end. */
export type ReadLimits = {
  readonly chunkBytes?: number;
  readonly lineBytesMax?: number;
  readonly scannedBytesMax?: number;
};

/** Reads files of hosts from the end, within bounds of time and memory. Never throws if the system refuses access. */
export type TranscriptReader = {
  /** Passes the lines of a file to `read`, last line first, as many as it needs. `null` = the file cannot be read. */
  readonly readBackwards: <T>(file: string, read: (lines: Iterable<RawLine>) => T, limits?: ReadLimits) => T | null;
  /** Do the last `bytes` of a file contain this text? Searches bytes, which takes a tenth of the time of making lines. */
  readonly endIncludes: (file: string, text: string, bytes: number) => boolean;
  /** Returns when one of the last lines contains the text, or after a timeout: some hosts are still writing while their hook runs. */
  readonly awaitText: (file: string, text: string, msMax?: number) => void;
  readonly textOf: (line: RawLine) => string;
};

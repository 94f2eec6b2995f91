import type { Decision } from '../core/decision.ts';
import type { Event, Failure } from '../core/event.ts';
import type { ApprovalDue, CheckResult, ClockReading, Evidence, ProtectedFacts, Usage } from '../core/evidence.ts';
import type { Entry, Loop } from '../core/journal.ts';
import type { RoomBaseline, RoomFacts } from '../core/room.ts';
import type { CheckSpec, Limit, LoopId, ProtectedMark, SessionRef, Spec, Worker } from '../core/loop.ts';

/** The newest committed entry: what the next one has to follow. */
export type Head = { readonly revision: number; readonly hash: string };

export type Loaded = Loop & { readonly head: Head };

/** An entry before the store gives it its place in the chain. */
export type Draft = Omit<Entry, 'v' | 'revision' | 'prev'>;

export type CommitResult = { readonly kind: 'committed'; readonly loaded: Loaded } | { readonly kind: 'conflict' };

/** What tireless looks at itself. Answers never throw: what cannot be seen is `unknown` or `null`. */
export type ProbeRequest =
  | { readonly kind: 'check'; readonly check: CheckSpec }
  /** `except`: a file of bookkeeping, relative to the project; changing it is no work. */
  | { readonly kind: 'workspace'; readonly except?: string }
  | { readonly kind: 'protected'; readonly globs: readonly string[]; readonly accepted: ProtectedMark | null }
  /** Which of these lines are ticked in the tracker? */
  | { readonly kind: 'criteria'; readonly tracker: string; readonly texts: readonly string[] }
  | { readonly kind: 'holder'; readonly worker: Worker }
  /**
   * Keep a copy of the project. Answered by a baseline without fits. `settles`: that copy was made, and nothing but the checks ran since; what they
   * wrote into dependency folders is no change.
   */
  | { readonly kind: 'room-copy'; readonly spec: Spec; readonly settles?: RoomBaseline & { readonly kind: 'kept' } }
  /** Try the checks in a room of that copy. `results`: what they answered in the work tree. */
  | {
      readonly kind: 'room-baseline';
      readonly spec: Spec;
      readonly copy: RoomBaseline & { readonly kind: 'kept' };
      readonly results: readonly CheckResult[];
    }
  /** Make the room, and run these checks in it. */
  | {
      readonly kind: 'room';
      readonly spec: Spec;
      readonly checks: readonly CheckSpec[];
      readonly baseline: RoomBaseline;
    }
  /** The work as a commit would hold it, as a hash. */
  | { readonly kind: 'work'; readonly spec: Spec };

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
  /** Confirm answers that were computed after an earlier look; absent = none does. */
  readonly vouchers?: readonly string[];
  /** An answer that came late is not enough: run once more what passed then. */
  readonly again?: true;
};

/**
 * Everything a pipeline may ask of the world, as plain functions; a pipeline yields the call as data and never makes it
 * itself, so that one pipeline runs synchronously (hook, facades) and asynchronously (outer driver, fleet).
 */
export type Effects = {
  readonly readClock: () => ClockReading;
  readonly load: (loop: LoopId) => Loaded | undefined;
  /** The first entry. `conflict` = the id is taken. */
  readonly create: (loop: LoopId, draft: Draft) => CommitResult;
  readonly commit: (loop: LoopId, head: Head, draft: Draft) => CommitResult;
  /** Answers in the order of the requests. */
  readonly probe: (batch: ProbeBatch) => readonly ProbeAnswer[];
  readonly newLoop: () => { readonly loop: LoopId; readonly machine: string };
  readonly bindSession: (session: SessionRef, loop: LoopId) => void;
  /** The same, once: of all that bind it instead of `was`, the first wins. The answer is the winner's loop. */
  readonly bindFirst: (session: SessionRef, loop: LoopId, was: LoopId | undefined) => LoopId;
  readonly loopOfSession: (session: SessionRef) => LoopId | undefined;
  /** `null` = there is no such file. Absolute path. */
  readonly readFile: (file: string) => FoundBytes | null;
  readonly hashText: (text: string) => string;
  /**
   * By atomic rename, and only if the file still is what it was (`was`, a hash; `null` = absent). `text: null` removes it; `loop`: the one
   * it is removed for, which keeps what stood in it.
   */
  readonly replaceFile: (
    file: string,
    was: string | null,
    text: string | null,
    loop?: LoopId,
  ) => 'replaced' | 'changed';
  /** Throws if this text cannot be written beside the file: for a look before the commit. Changes nothing. */
  readonly tryWrite: (file: string, text: string) => void;
  /** Counts one more turn of the loops in the state files of a project, durably, and answers how many there were on that day (`2026-01-31`). */
  readonly countTurn: (project: string, day: string) => number;
};

/**
 * `changedMs`: when the bytes last changed, on the wall clock; absent = not known. `isOurs`: did `replaceFile` write them, or someone else;
 * absent = nobody can tell.
 */
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

/** What the host or the agent said about a turn, raw. Becomes evidence; never journaled whole. */
export type TurnReport = {
  readonly message?: string;
  /**
   * Everything the agent said in this turn, `message` included, where the host keeps a transcript. `reply`: the first line of our last reply,
   * with which the turn began, if a reply of ours began it. A function: most stops never ask.
   */
  readonly turnText?: (reply: string) => string;
  readonly usage?: Usage;
  /** What the whole loop has cost, where a document keeps account of it. */
  readonly costTotalUsd?: number;
  readonly toolCalls?: number;
  readonly backgroundWork?: boolean;
  /** What the user typed waits for the end of this turn, or they broke it off: it is theirs. */
  readonly userFirst?: true;
  /** Not the session of the loop reports this: no agent gets the prompt that it leads to. */
  readonly noReply?: true;
  /** Nobody is shown the reply to this. */
  readonly unseen?: true;
  /** How long ago the agent was last at work, as its transcript tells. A function: only what the user writes asks. `undefined` = cannot be told. */
  readonly idleMs?: () => number | undefined;
  /** `false`: the host says that the user began this turn, not our last reply. */
  readonly sentBack?: boolean;
  /** Of replies that keep the agent going the host obeys only so many in a row. */
  readonly repliesInRowMax?: number;
  /** The agent used a tool since our last reply, and this host begins to count anew then. */
  readonly newRow?: true;
  /** The host says that the conversation has no room for another turn. */
  readonly contextFull?: boolean;
  /** When the process that reports it began, on the monotonic clock. A function: most stops never ask. Absent = nobody can say. */
  readonly beganMs?: () => number;
  /** Signs of progress beside the files, as one text. */
  readonly progress?: string;
  readonly approvalDue?: ApprovalDue;
  /** How many turns a day the loops in the state files of this project may take; absent = the default. */
  readonly dayTurnsMax?: Limit;
  /** Criteria that a dialect's file says hold. */
  readonly criteriaMet?: readonly string[];
};

/** `loaded` is the loop after the event; absent when there is none. `prompt`: what is delivered now. `earlier`: after another event that was posted first, on the same call. */
export type Handled = {
  readonly decision: Decision;
  readonly evidence?: Evidence;
  readonly loaded?: Loaded;
  readonly prompt?: string;
  readonly earlier?: Loaded;
};

/** Durable home of loops. One commit point per implementation, named in its header. Throws `Fault` only. */
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

/** One door for CLI, hook, dashboard and library, whether the loop lives in files or in a fleet. */
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

/** What an agent does while it works. The last one of a turn is always `ended`; the stream never throws. */
export type AgentActivity =
  | { readonly kind: 'output'; readonly stream: 'message' | 'diagnostics'; readonly text: string }
  | { readonly kind: 'tool-used'; readonly tool: string; readonly detail: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** Something that nobody has to see: it is at work. `toolsRunning`: begun and not ended, from here on. `usage`: of the turn so far. */
  | { readonly kind: 'alive'; readonly toolsRunning?: number; readonly usage?: Usage }
  | { readonly kind: 'ended'; readonly end: TurnEnd };

/** `message` is the end of what the agent said, bounded. */
export type TurnEnd = {
  readonly message: string;
  readonly toolCalls?: number;
  readonly usage?: Usage;
  /** Absent = the turn ended as it should. */
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
  /** Ends the turn and every process of it. Resolves when nothing of it is left. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * A line with one letter for each byte, `textOf` makes text of it. All that is searched for is plain ASCII, and a string is cut, joined
 * and searched without waking as much of Node as a buffer does.
 */
export type RawLine = string;

/** Smaller bounds than usual: for tests, and for readers that need not look that far. */
export type ReadLimits = {
  readonly chunkBytes?: number;
  readonly lineBytesMax?: number;
  readonly scannedBytesMax?: number;
};

/** Reads what hosts write, from the end, within bounds of time and memory. Never throws for what the system refuses. */
export type TranscriptReader = {
  /** Hands over the lines of a file, the last one first, as many as `read` takes. `null` = the file cannot be read. */
  readonly readBackwards: <T>(file: string, read: (lines: Iterable<RawLine>) => T, limits?: ReadLimits) => T | null;
  /** Returns when one of the last lines holds the text, or after a while: some hosts still write while their hook runs. */
  readonly awaitText: (file: string, text: string, msMax?: number) => void;
  readonly textOf: (line: RawLine) => string;
};

import type { Limit } from './loop.ts';
import type { RoomBaseline, RoomFacts } from './room.ts';

/**
 * Facts gathered for one decision: immutable, journaled, bounded. Everything `decide` may know about the world is in here,
 * so that `replay` can ask it again.
 */
export type Evidence = {
  readonly clock: ClockReading;
  readonly checks?: readonly CheckResult[];
  /** Texts of the criteria that hold, whoever vouches for them. */
  readonly criteriaMet?: readonly string[];
  readonly message?: MessageFacts;
  readonly claim?: ClaimFacts;
  /** Fingerprint of the work tree; `null` = could not be taken. */
  readonly workspace?: string | null;
  readonly protectedFiles?: ProtectedFacts;
  /** At the baseline, or at a later stop when the trial took longer: what was kept of the project, and which checks the room suits. */
  readonly roomBaseline?: RoomBaseline;
  /** At a finish: what the clean room has shown. */
  readonly room?: RoomFacts;
  /** The work as a commit would hold it, when a person answers about it; `null` = cannot be told. */
  readonly work?: string | null;
  /** What this turn used, as the host says; absent = the host does not say. */
  readonly usage?: Usage;
  /** What the whole loop has cost, where a document keeps account of it. */
  readonly costTotalUsd?: number;
  readonly toolCalls?: number;
  /** `false`: the host says that the user began this turn, not our last reply. */
  readonly sentBack?: boolean;
  readonly backgroundWork?: boolean;
  /** What the user typed waits for the end of this turn, or they broke it off: it is theirs. */
  readonly userFirst?: true;
  /** Not the session of the loop reports this: no agent gets the prompt that it leads to. */
  readonly noReply?: true;
  /** After this nobody is at work until a turn is begun (in a session by somebody, outside by the driver): no running time until then. */
  readonly rests?: true;
  /** A transient failure is waited out before it counts as a fault. Absent in entries of versions that counted it at once. */
  readonly waitsOut?: true;
  /** How long before this event the agent was last seen at work, as its transcript tells; absent = not known. */
  readonly idleMs?: number;
  /** Nobody is shown the reply to this: what came of it is shown at the next event of the session. */
  readonly unseen?: true;
  /** When the process that reports this stop began, on the monotonic clock of this boot. Asked only when the words are those of the last one. */
  readonly reporterBeganMs?: number;
  /** Of replies that keep the agent going the host obeys only so many in a row. */
  readonly repliesInRowMax?: number;
  /** The agent used a tool since our last reply, and this host begins to count anew then. */
  readonly newRow?: true;
  /** The host says that the conversation has no room for another turn. */
  readonly contextFull?: boolean;
  /** Someone asked a human for leave, outside the loop, and the answer is not there yet. */
  readonly approvalDue?: ApprovalDue;
  /** Turns of all loops in state files of this project today, this one included, and how many are allowed. */
  readonly day?: DayTurns;
  /** Is the worker that holds the lease alive? Asked when anyone else posts an event. */
  readonly holderAlive?: boolean;
  /** When that worker was last seen alive: running time counts until then. */
  readonly holderSeen?: ClockReading;
};

/** Two clocks: the wall for people, the monotonic one for durations (comparable within one boot). */
export type ClockReading = { readonly wallMs: number; readonly monotonicMs: number; readonly boot: string };

export type CheckAnswer = 'passed' | 'failed' | 'unknown';

export type CheckResult = {
  readonly name: string;
  readonly result: CheckAnswer;
  readonly durationMs: number;
  readonly exitCode?: number;
  /** The end of its output, bounded. */
  readonly tail: string;
  /** Hash of the output with numbers and times taken out: tells "fails differently" from "fails the same". */
  readonly fingerprint?: string;
  /** Failed, then passed when asked once more. */
  readonly flaky?: true;
  readonly holdout?: true;
  /** How many tests it executed; absent = the output names no number of tests. */
  readonly tests?: TestCounts;
  /** Why it is `unknown`. */
  readonly unknown?: 'timed-out' | 'not-runnable' | 'not-run' | 'not-allowed' | 'still-running' | 'no-report';
  /** Still running: how the agent can call tireless to wait for it, as its shell wants it. */
  readonly call?: string;
  /** Still running: confirms the answer when it comes. */
  readonly voucher?: string;
  /** It passed after the agent was let go: before it completes a loop it is run again. */
  readonly late?: true;
};

/** `ran`: executed, so passed or failed; tests that were skipped or are still to be written are not among them. */
export type TestCounts = { readonly ran: number; readonly failed: number; readonly skipped: number };

/** How much of the end of a message is kept. */
export const MESSAGE_PREVIEW_CHARS_MAX = 2000;

export type MessageFacts = {
  /** The end of the message. */
  readonly preview: string;
  readonly bytes: number;
  /** The smallest hashes of its word triples: similar messages share most of them. */
  readonly sketch: readonly number[];
};

export type DayTurns = { readonly turns: number; readonly max: Limit };

/** `question` says what the human is to do. `others`: what is asked beside the request. */
export type ApprovalDue = {
  readonly request: string;
  readonly question: string;
  readonly others?: readonly string[];
};

export type ClaimFacts = { readonly made: string | null; readonly blocked: string | null };

/** `manifest`: a line per protected file, its hash and its path; left out when nothing changed. */
export type ProtectedFacts = { readonly hash: string; readonly changed: readonly string[]; readonly manifest?: string };

/** `unknown` is never 0. */
export type Usage = { readonly costUsd: number | 'unknown'; readonly tokens: number | 'unknown' };

export const NO_USAGE: Usage = { costUsd: 'unknown', tokens: 'unknown' };

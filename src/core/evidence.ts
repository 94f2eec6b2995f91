import type { Limit } from './loop.ts';
import type { RoomBaseline, RoomFacts } from './room.ts';

/**
 * Facts gathered for one decision: immutable, journaled, bounded. Everything `decide` may know about the world is in here,
 * so that `replay` can run it again.
 */
export type Evidence = {
  readonly clock: ClockReading;
  readonly checks?: readonly CheckResult[];
  /** Texts of the criteria that are met, whoever confirms them. */
  readonly criteriaMet?: readonly string[];
  readonly message?: MessageFacts;
  readonly claim?: ClaimFacts;
  /** Fingerprint of the work tree; `null` = it could not be taken. */
  readonly workspace?: string | null;
  readonly protectedFiles?: ProtectedFacts;
  /** At the baseline, or at a later stop if the trial took longer: what was kept of the project, and which checks can run in the room. */
  readonly roomBaseline?: RoomBaseline;
  /** At a finish: what the clean room found. */
  readonly room?: RoomFacts;
  /** Hash of the work as a commit would hold it, when a person answers about it; `null` = could not be computed. */
  readonly work?: string | null;
  /** What this turn used, as reported by the host; absent = the host does not report it. */
  readonly usage?: Usage;
  /** What the whole loop has cost, if a document keeps track of it. */
  readonly costTotalUsd?: number;
  readonly toolCalls?: number;
  /** `false`: the host says that the user began this turn, rather than our last reply. */
  readonly sentBack?: boolean;
  readonly backgroundWork?: boolean;
  /** What the host calls that work, one name each. */
  readonly backgroundTasks?: readonly string[];
  /** The hook has waited for that work, and it is still not done: the stop is judged all the same. */
  readonly outlasted?: true;
  /** The user has typed something that waits for the end of this turn, or interrupted it: this stop is theirs, and is not judged. */
  readonly userFirst?: true;
  /** Reported from outside the loop's session: no agent receives the resulting prompt. */
  readonly noReply?: true;
  /** After this, nobody works until someone begins a turn (in a session a person or the host, outside the driver): no running time until then. */
  readonly rests?: true;
  /** A transient failure is waited out before it counts as a fault. Absent in entries of versions that counted it at once. */
  readonly waitsOut?: true;
  /** How long before this event the agent was last seen at work, according to its transcript, or else to its last event; absent = not looked up. */
  readonly idleMs?: number;
  /** How long the agent waited for an answer of the user since the last event (a permission dialog), according to its transcript. */
  readonly waitedMs?: number;
  /** Nobody sees the reply to this: the outcome is shown at the next event of the session. */
  readonly unseen?: true;
  /** When the process that reports this stop began, on the monotonic clock of this boot. Read only if the message equals that of the last stop. */
  readonly reporterBeganMs?: number;
  /** How many replies in a row that keep the agent going the host obeys. */
  readonly repliesInRowMax?: number;
  /** The agent used a tool since our last reply, and this host then restarts its count. */
  readonly newRow?: true;
  /** The host reports when the agent forgets (a compaction), and is told everything again then. */
  readonly remembers?: true;
  /** The host says that the conversation has no room for another turn. */
  readonly contextFull?: boolean;
  /** Someone asked a person for approval outside the loop, and the answer is still pending. */
  readonly approvalDue?: ApprovalDue;
  /** Turns of all loops in state files of this project today, this one included, and how many are allowed. */
  readonly day?: DayTurns;
  /** Is the worker that holds the lease alive? Looked up when anyone else posts an event. */
  readonly holderAlive?: boolean;
  /** When that worker was last seen alive: running time counts until then. */
  readonly holderSeen?: ClockReading;
};

/** Two clocks: wall time for people, monotonic time for durations (comparable within one boot). */
export type ClockReading = { readonly wallMs: number; readonly monotonicMs: number; readonly boot: string };

export type CheckAnswer = 'passed' | 'failed' | 'unknown';

export type CheckResult = {
  readonly name: string;
  readonly result: CheckAnswer;
  readonly durationMs: number;
  readonly exitCode?: number;
  /** From its output, bounded: of a failed one what failed and the end, of others the end. Shown, never compared. */
  readonly tail: string;
  /** Hash of the output without numbers and times: tells "fails differently" from "fails the same way". */
  readonly fingerprint?: string;
  /** Failed, then passed when run once more. */
  readonly flaky?: true;
  readonly holdout?: true;
  /** How many tests it ran; absent = the output names no number of tests. */
  readonly tests?: TestCounts;
  /** Why it is `unknown`. */
  readonly unknown?: 'timed-out' | 'not-runnable' | 'not-run' | 'not-allowed' | 'still-running' | 'no-report';
  /** Still running: the command with which the agent can wait for it, quoted for its shell. */
  readonly call?: string;
  /** Still running: confirms the result when it arrives. */
  readonly voucher?: string;
  /** It passed after the agent was let go: it is run again before it completes a loop. */
  readonly late?: true;
};

/** `ran`: executed, so passed or failed; skipped tests and tests still to be written are not included. */
export type TestCounts = { readonly ran: number; readonly failed: number; readonly skipped: number };

/** How many characters of the end of a message are kept. */
export const MESSAGE_PREVIEW_CHARS_MAX = 2000;

export type MessageFacts = {
  /** The end of the message. */
  readonly preview: string;
  readonly bytes: number;
  /** The smallest hashes of its word triples: similar messages share most of them. */
  readonly sketch: readonly number[];
};

export type DayTurns = { readonly turns: number; readonly max: Limit };

/** `question` tells the person what to do. `others`: further open requests. */
export type ApprovalDue = {
  readonly request: string;
  readonly question: string;
  readonly others?: readonly string[];
};

export type ClaimFacts = {
  readonly made: string | null;
  readonly blocked: string | null;
  /** Only where `made` is `null`. */
  readonly near?: NearClaim;
};

/** A claim that did not count. `not-alone`: its tag is not alone on its line. `no-tag`: the bare text is the last line. */
export type NearClaim = { readonly text: string; readonly why: 'not-alone' | 'no-tag' };

/** `manifest`: one line per protected file, with its hash and its path; omitted when nothing changed. */
export type ProtectedFacts = { readonly hash: string; readonly changed: readonly string[]; readonly manifest?: string };

/** `unknown` is never 0. */
export type Usage = { readonly costUsd: number | 'unknown'; readonly tokens: number | 'unknown' };

export const NO_USAGE: Usage = { costUsd: 'unknown', tokens: 'unknown' };

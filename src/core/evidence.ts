import type { Limit } from './loop.ts';
import type { RoomBaseline, RoomFacts } from './room.ts';

/**
 * Facts gathered for one decision: immutable, journaled, bounded. `decide` knows nothing else about the world, so `replay` can run it
 * again.
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
  /**
   * Taken at the baseline, or at a later stop if the trial took longer: what was kept of the project, and which checks can run in the room.
   */
  readonly roomBaseline?: RoomBaseline;
  /** At a finish: what the clean room found. */
  readonly room?: RoomFacts;
  /** Hash of the work as a commit would contain it, taken when a person answers about it; `null` = it could not be computed. */
  readonly work?: string | null;
  /** What this turn used, as reported by the host; absent = the host does not report it. */
  readonly usage?: Usage;
  /** What the whole loop has cost, if a document keeps track of it. */
  readonly costTotalUsd?: number;
  readonly toolCalls?: number;
  /** `false`: according to the host, the user began this turn, not our last reply. */
  readonly sentBack?: boolean;
  readonly backgroundWork?: boolean;
  /** What the host calls that work, one name each. */
  readonly backgroundTasks?: readonly string[];
  /** The hook has waited for that work, which is still running: the stop is judged anyway. */
  readonly outlasted?: true;
  /** The user typed something that waits for the end of this turn, or interrupted it. The stop belongs to the user and is not judged. */
  readonly userFirst?: true;
  /** Reported from outside the loop's session: no agent receives the resulting prompt. */
  readonly noReply?: true;
  /**
   * Nobody works after this until someone begins a turn (in a session a person or the host, outside it the driver): running time stops
   * until then.
   */
  readonly rests?: true;
  /** A transient failure is waited out before it counts as a fault. Absent in entries of versions that counted it immediately. */
  readonly waitsOut?: true;
  /** How long before this event the agent was last at work, according to its transcript, or else its last event; absent = not looked up. */
  readonly idleMs?: number;
  /** How long the agent waited for the user since the last event (a permission dialog), according to its transcript. */
  readonly dialogMs?: number;
  /** Nobody sees the reply to this: the outcome is shown at the next event of the session. */
  readonly unseen?: true;
  /** When the process that reports this stop began, on the monotonic clock of this boot. Read only if the message equals that of the last stop. */
  readonly reporterBeganMs?: number;
  /** After how many replies in a row the host stops obeying them. */
  readonly repliesInRowMax?: number;
  /** The agent has used a tool since our last reply, and this host then restarts its count. */
  readonly newRow?: true;
  /** The host reports when the agent forgets (a compaction), and the agent then gets everything again. */
  readonly remembers?: true;
  /** According to the host, the conversation has no room for another turn. */
  readonly contextFull?: boolean;
  /** Someone asked a person for approval outside the loop, and the answer is still pending. */
  readonly approvalDue?: ApprovalDue;
  /** Today's turns of all state-file loops of this project, including this one, and how many are allowed. */
  readonly day?: DayTurns;
  /** Is the worker that holds the lease alive? Looked up when someone else posts an event. */
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
  /** A bounded part of its output: the failures and the end if it failed, otherwise the end. Shown, never compared. */
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
  /** Still running: authenticates the result when it arrives. */
  readonly voucher?: string;
  /** It passed after the agent had stopped, so it is run again before it completes a loop. */
  readonly late?: true;
};

/** `ran`: executed, so passed or failed; without skipped tests and tests yet to be written. */
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

/** `question`: what the person has to do. `others`: further open requests. */
export type ApprovalDue = {
  readonly request: string;
  readonly question: string;
  readonly others?: readonly string[];
};

export type ClaimFacts = {
  readonly made: string | null;
  readonly blocked: string | null;
  /** Only if `made` is `null`. */
  readonly near?: NearClaim;
};

/** A claim that did not count. `not-alone`: its tag is not alone on its line. `no-tag`: the bare text is the last line. */
export type NearClaim = { readonly text: string; readonly why: 'not-alone' | 'no-tag' };

/** `manifest`: one line per protected file, with its hash and its path; omitted when nothing changed. */
export type ProtectedFacts = { readonly hash: string; readonly changed: readonly string[]; readonly manifest?: string };

/** `unknown` is never 0. */
export type Usage = { readonly costUsd: number | 'unknown'; readonly tokens: number | 'unknown' };

export const NO_USAGE: Usage = { costUsd: 'unknown', tokens: 'unknown' };

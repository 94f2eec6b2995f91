import type { ClaimRule } from './claim.ts';
import type { Failure, FailureClass } from './event.ts';
import type { FinishRule } from './finish-rule.ts';
import type { Loop } from './journal.ts';
import type { CheckSpec, Criterion, Limit, Limits, LoopId, Timing } from './loop.ts';

/**
 * A foreign state file, as the engine sees it: text in, text out, pure. `read` interprets the document's fields. `project` writes the
 * current state of the loop into the text and changes only its own keys; `null` = the document wants the file removed.
 */
export type DialectPort = {
  readonly name: string;
  readonly read: (text: string) => FileReading;
  readonly project: (text: string | null, loop: Loop) => string | null;
  /** For documents that name their session: the same text with another session, for a loop that the user moves there. */
  readonly withSession?: (text: string, session: string) => string;
  /** Reactivates the file of an ended loop that the user resumes, with the changed limits that the document has a field for. */
  readonly resumed?: (text: string, limits: Partial<Limits>) => string;
  /** The document does not count the stop that ends a loop at its maximum: a resumed loop uses that number again. */
  readonly endIsUncounted?: true;
  /** A new file for a loop whose file was removed, by its end or by the user. */
  readonly newText?: (loop: Loop) => string;
  /** For documents that classify errors by their text: the class of a failure that the host has no name for. */
  readonly failureClassOf?: (failure: Pick<Failure, 'detail' | 'unexplained'>) => FailureClass;
};

/** The document's texts after a decision. `sendsBack`: the agent is sent back to work with `text`. `notice` is shown to the user. */
export type Words = {
  readonly sendsBack: boolean;
  /** Another hook already sent the agent back for this stop; only a reply without text repeats that. */
  readonly repeats?: true;
  readonly text: string;
  readonly reason: string;
  readonly notice?: string;
};

/** The content of a dialect's file in our terms. */
export type FileReading =
  | { readonly kind: 'invalid'; readonly why: string }
  | {
      readonly kind: 'loop';
      readonly active: boolean;
      /** The session it names; `null` = none, so the first session that stops in its project takes it. */
      readonly session: string | null;
      readonly goal: string;
      readonly claim: ClaimRule;
      readonly finish?: FinishRule;
      readonly criteria: readonly Criterion[];
      readonly criteriaMet?: readonly string[];
      /** How many turns have been counted and how many the document allows, counted our way. Below 0: see `turnsBefore`. */
      readonly counted: number;
      readonly iterationsMax: Limit;
      /** If the document also limits the running time. */
      readonly durationMaxMs?: Limit;
      /** If the document limits the cost, or the number of iterations without progress. */
      readonly costMaxUsd?: Limit;
      readonly noProgressMax?: Limit;
      /** What the loop has cost so far, if the document keeps track itself. */
      readonly costUsd?: number;
      /** The document's own signs of progress as one text: a change in it counts like a change in the files. */
      readonly progress?: string;
      /** The document's next step, for use in its own texts. */
      readonly next?: string;
      /** The agent may itself have counted the turn that ends now: a counter that is one ahead is that turn, not another one. */
      readonly agentCounts?: true;
      /** Distinguishes this loop from later loops in the same file. */
      readonly identity?: FileIdentity;
      /** With `agentCounts`: the file shows finished work, so a counter that is too low is a mistake by the agent, not a new file. */
      readonly hasWork?: true;
      /** The file claims that the work is done. That does not cancel the loop: the finish rule decides. */
      readonly isMarkedDone?: true;
      /** The file has the status that its document uses for finished work. */
      readonly isCompleted?: true;
      /** How often in a row a turn may fail before a person is asked. */
      readonly triesMax?: Readonly<Partial<Record<FailureClass, number>>>;
      readonly continuation: string;
      readonly timing?: Partial<Timing>;
      readonly checks?: readonly CheckSpec[];
      /** The document looks for the claim in every message of the turn, not only in the last one. */
      readonly claimInTurn?: true;
      /** Where the document looks for the claim, if not in the agent's message. */
      readonly claimedIn?: string;
    };

/**
 * A part that is missing on either side is not compared. `goal`: only for documents where editing the goal means another loop. `topic`: the
 * first line of a goal that may be edited while its loop runs.
 */
export type FileIdentity = {
  readonly id?: string;
  readonly startedAt?: string;
  readonly goal?: string;
  readonly topic?: string;
};

/**
 * `continuation`: the file we wrote, perhaps edited by hand. `old-copy`: the agent restored its file from some turns ago, so its
 * counter is ignored. `new-loop`: a different file took the place of the old one.
 */
export type FileRelation = 'continuation' | 'old-copy' | 'new-loop';

/**
 * How an edited file relates to the loop that wrote it. Everything that reads a file uses this: stops of any session, commands, `doctor`.
 * Another id or start time always means a new loop, and so does a lower counter or a different goal. `mayBeAgents`: the agent is in a turn
 * that the loop asked for, and may have rewritten the file. Then one sign is not enough: an agent that rewords its goal keeps its counter,
 * and one that restores an old copy keeps its goal. Only both together mean a new loop; otherwise an agent that maintains the file itself
 * would never reach its maximum.
 */
export function relationOfFile(
  { identity, counted }: { readonly identity: FileIdentity | undefined; readonly counted: number | undefined },
  reading: FileReading & { kind: 'loop' },
  mayBeAgents: boolean,
): FileRelation {
  const now = reading.identity ?? {};
  const compare = (part: keyof FileIdentity): 'same' | 'other' | 'unknown' => {
    if (identity?.[part] === undefined || now[part] === undefined) return 'unknown';
    return identity[part] === now[part] ? 'same' : 'other';
  };
  const names = new Set([compare('id'), compare('startedAt')]);
  if (names.has('other')) return 'new-loop';
  const isSetBack = counted !== undefined && reading.counted < counted;
  const isOtherGoal = compare('goal') === 'other';
  if (!mayBeAgents) {
    if (isOtherGoal) return 'new-loop';
    if (!isSetBack) return 'continuation';
    return reading.agentCounts === true && reading.hasWork === true ? 'old-copy' : 'new-loop';
  }
  if (!isSetBack) return 'continuation';
  const isOtherTopic = isOtherGoal || (compare('topic') === 'other' && !names.has('same'));
  return isOtherTopic ? 'new-loop' : 'old-copy';
}

/** A session that was silent for this long is not at work: no host lets a tool run longer. */
export const OWNER_SILENT_MS: number = 30 * 60 * 1000;

/** `movedMs`: when its loop last changed. `seenMs`: when its host last wrote anything for it, if known. */
export function isOwnerSilent(movedMs: number, seenMs: number | undefined, nowMs: number): boolean {
  return nowMs - Math.max(movedMs, seenMs ?? 0) >= OWNER_SILENT_MS;
}

/** Was the file written after the last work of a session whose turn was broken off or failed? Then its agent did not write it. */
export function isWrittenAtRest(writtenMs: number | undefined, restsSinceMs: number | null): boolean {
  return restsSinceMs !== null && writtenMs !== undefined && writtenMs > restsSinceMs;
}

/**
 * Why an active file does nothing in this session. `free`: its own session is silent, so the loop continues here at the next stop.
 * `silent`: the same, but the document names that session. `driven`: another session is at work. `rewritten`: the same, and the file looks
 * like a new one. `named`: it waits for the first stop of a session that is not known to be at work.
 */
export type FileOffer = {
  readonly kind: 'free' | 'silent' | 'driven' | 'rewritten' | 'named';
  readonly file: string;
  /** The session that owns it. */
  readonly owner: string;
  /** That session has ended; absent = it is only silent, or at work. */
  readonly hasEnded?: true;
  readonly loop: LoopId | null;
  readonly paused?: true;
};

/** How many turns come before the document's first iteration, if its counter starts below it. */
export function turnsBefore({ counted }: FileReading & { kind: 'loop' }): number {
  return Math.max(0, -counted);
}

/** The limits that the document sets. `before`: the turns before its first iteration, as of the start of the loop. */
export function documentLimits(
  reading: FileReading & { kind: 'loop' },
  before: number = turnsBefore(reading),
): Partial<Limits> {
  const { iterationsMax, durationMaxMs, costMaxUsd, noProgressMax } = reading;
  return {
    iterationsMax: iterationsMax === 'unlimited' ? iterationsMax : iterationsMax + before,
    ...(durationMaxMs === undefined ? {} : { durationMaxMs }),
    ...(costMaxUsd === undefined ? {} : { costMaxUsd }),
    ...(noProgressMax === undefined ? {} : { noProgressMax }),
  };
}

import type { ClaimRule } from './claim.ts';
import type { FailureClass } from './event.ts';
import type { FinishRule } from './finish-rule.ts';
import type { Loop } from './journal.ts';
import type { CheckSpec, Criterion, Limit, Limits, LoopId, Timing } from './loop.ts';

/**
 * A foreign state file, as the engine sees it: text in, text out, pure. `read` says what the document's fields mean;
 * `project` writes where the loop stands into the text, touching only its own keys; `null` = the document wants it gone.
 */
export type DialectPort = {
  readonly name: string;
  readonly read: (text: string) => FileReading;
  readonly project: (text: string | null, loop: Loop) => string | null;
  /** Where the document names its session: the same text with another one, for a loop that the user moves there. */
  readonly withSession?: (text: string, session: string) => string;
  /** The file of an ended loop that the user resumes: switched on again, with the limits that they changed and the document has a number for. */
  readonly resumed?: (text: string, limits: Partial<Limits>) => string;
  /** The stop that ends a loop at its maximum is no iteration of the document: a resumed loop gives that number again. */
  readonly endIsUncounted?: true;
  /** The file of a loop that has none: its end, or the user, took it away. */
  readonly newText?: (loop: Loop) => string;
  /** Where the document tells errors apart by what they say: the class of a failure that the host has no name for. */
  readonly failureClassOf?: (detail: string) => FailureClass;
};

/** What a document says after a decision. `goesOn`: the agent is sent back to work with `text`. `notice` is for the user's eyes. */
export type Words = {
  readonly goesOn: boolean;
  /** Another hook has sent the agent back to work for this very stop: only a form without text says so again. */
  readonly repeats?: true;
  readonly text: string;
  readonly reason: string;
  readonly notice?: string;
};

/** What a dialect's file says, in our words. */
export type FileReading =
  | { readonly kind: 'invalid'; readonly why: string }
  | {
      readonly kind: 'loop';
      readonly active: boolean;
      /** The session it names; `null` = none: the first one that stops in its project. */
      readonly session: string | null;
      readonly goal: string;
      readonly claim: ClaimRule;
      readonly finish?: FinishRule;
      readonly criteria: readonly Criterion[];
      readonly criteriaMet?: readonly string[];
      /** How many turns have been counted, and how many the document allows, in our way of counting. Below 0: see `turnsBefore`. */
      readonly counted: number;
      readonly iterationsMax: Limit;
      /** Where the document limits the running time too. */
      readonly durationMaxMs?: Limit;
      /** Where the document limits the cost, or asks whether anything moves at all. */
      readonly costMaxUsd?: Limit;
      readonly noProgressMax?: Limit;
      /** What the loop has cost so far, where the document keeps account itself. */
      readonly costUsd?: number;
      /** The document's own signs of progress as one text: a change of it is one like a change of the files. */
      readonly progress?: string;
      /** The document's next step, for its own words. */
      readonly next?: string;
      /** The agent may have counted the turn that ends now itself: a counter that is one ahead is that turn, not one more. */
      readonly agentCounts?: true;
      /** What tells this loop from the next one in the same file. */
      readonly identity?: FileIdentity;
      /** With `agentCounts`: the file shows finished work, so a counter that is too low is the agent's slip and not a new file. */
      readonly hasWork?: true;
      /** The file says that the work is done. Whether it is, the finish rule says; it is no cancel. */
      readonly saysDone?: true;
      /** How often in a row a turn may fail before a person is asked. */
      readonly triesMax?: Readonly<Partial<Record<FailureClass, number>>>;
      readonly continuation: string;
      readonly timing?: Partial<Timing>;
      readonly checks?: readonly CheckSpec[];
      /** The document looks for the claim in every message of the turn, not only in the last. */
      readonly claimInTurn?: true;
      /** Where the document looks for the claim, when that is not the agent's message. */
      readonly claimedIn?: string;
    };

/**
 * A part that is missing on either side says nothing. `goal`: only where editing it means another loop. `topic`: the first line of a goal
 * that may be edited while its loop runs.
 */
export type FileIdentity = {
  readonly id?: string;
  readonly startedAt?: string;
  readonly goal?: string;
  readonly topic?: string;
};

/**
 * `continuation`: what was written, perhaps edited by hand. `old-copy`: the agent wrote its file back as it was some turns ago, so its
 * counter does not count. `new-loop`: another file in the place of the old one.
 */
export type FileRelation = 'continuation' | 'old-copy' | 'new-loop';

/**
 * What a file that someone edited is to the loop that wrote it. Everyone who looks at a file asks here: stops of any session, commands, `doctor`.
 * Another id or start time is always a new loop. Apart from that, a new loop is one whose counter was set back, or whose goal is another one.
 * `mayBeAgents`: the agent is at a turn that the loop asked for, and may have written the file anew. Then one sign is not enough: an agent that
 * rewords its goal keeps its counter, and one that writes an old copy keeps its goal. Only both together are a new loop. Else an agent that
 * keeps the file itself would never reach its maximum.
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

/** A session that gave no sign of life for so long is not at work: longer than any tool that a host lets run. */
export const OWNER_SILENT_MS: number = 30 * 60 * 1000;

/** `movedMs`: when its loop last moved. `seenMs`: when its host last wrote anything for it, where that is known. */
export function isOwnerSilent(movedMs: number, seenMs: number | undefined, nowMs: number): boolean {
  return nowMs - Math.max(movedMs, seenMs ?? 0) >= OWNER_SILENT_MS;
}

/**
 * Why a file that is active does nothing in this session. `free`: its own session is silent, so it continues here at the next stop.
 * `silent`: the same, but the document names that session. `driven`: another session is at work. `named`: it waits for the first stop
 * of a session that is not known to be at work.
 */
export type FileOffer = {
  readonly kind: 'free' | 'silent' | 'driven' | 'named';
  readonly file: string;
  /** The session that has it. */
  readonly owner: string;
  /** That session has ended; absent = it is only silent, or at work. */
  readonly hasEnded?: true;
  readonly loop: LoopId | null;
  readonly paused?: true;
};

/** How many turns a counter below the document's first iteration allows before that one. */
export function turnsBefore({ counted }: FileReading & { kind: 'loop' }): number {
  return Math.max(0, -counted);
}

/** The limits that the document knows. `before`: the turns before its first iteration, when the loop began. */
export function documentLimits(
  reading: FileReading & { kind: 'loop' },
  before: number = turnsBefore(reading),
): Partial<Limits> {
  const { iterationsMax, durationMaxMs, costMaxUsd, noProgressMax } = reading;
  return {
    iterationsMax: iterationsMax === 'unlimited' ? iterationsMax : Math.max(1, iterationsMax + before),
    ...(durationMaxMs === undefined ? {} : { durationMaxMs }),
    ...(costMaxUsd === undefined ? {} : { costMaxUsd }),
    ...(noProgressMax === undefined ? {} : { noProgressMax }),
  };
}

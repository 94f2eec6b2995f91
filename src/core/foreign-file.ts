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
};

/** What a document says after a decision. `goesOn`: the agent is sent back to work with `text`. `notice` is for the user's eyes. */
export type Words = {
  readonly goesOn: boolean;
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
      /** How many turns have been counted, and how many the document allows, in our way of counting. */
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
      /** With `active: false`: the file says that the work is done. Whether it is, the finish rule says; it is no cancel. */
      readonly saysDone?: true;
      /** How often in a row a turn may fail before a person is asked. */
      readonly triesMax?: Readonly<Partial<Record<FailureClass, number>>>;
      readonly continuation: string;
      readonly timing?: Partial<Timing>;
      readonly checks?: readonly CheckSpec[];
      /** Where the document looks for the claim, when that is not the agent's message. */
      readonly claimedIn?: string;
    };

/** A part that is missing on either side says nothing. The goal only where editing it means another loop. */
export type FileIdentity = { readonly id?: string; readonly startedAt?: string; readonly goal?: string };

/**
 * Is the file what its loop wrote, perhaps edited by hand, or another one in its place? Another id, start time or identifying goal is another
 * file, and so is a counter that is lower than the one that was written: an edit never gives iterations back, a new file has all of its own.
 * In a turn that the loop itself asked for (`isAgentsTurn`) the agent may have written the file anew: only an id or a start time, which no
 * agent has to write, makes it another one then. Else an agent that keeps the file itself would never reach its maximum.
 */
export function isContinuation(
  { identity, counted }: { readonly identity: FileIdentity | undefined; readonly counted: number | undefined },
  reading: FileReading & { kind: 'loop' },
  isAgentsTurn: boolean,
): boolean {
  const now = reading.identity ?? {};
  const isOther = (part: keyof FileIdentity): boolean =>
    identity?.[part] !== undefined && now[part] !== undefined && identity[part] !== now[part];
  if (isOther('id') || isOther('startedAt')) return false;
  if (isAgentsTurn) return true;
  if (isOther('goal')) return false;
  const isSetBack = counted !== undefined && reading.counted < counted;
  return !isSetBack || (reading.agentCounts === true && reading.hasWork === true);
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
 * of a session that is silent.
 */
export type FileOffer = {
  readonly kind: 'free' | 'silent' | 'driven' | 'named';
  readonly file: string;
  /** The session that has it. */
  readonly owner: string;
  readonly loop: LoopId | null;
};

/** The limits that the document knows. */
export function documentLimits(reading: FileReading & { kind: 'loop' }): Partial<Limits> {
  const { iterationsMax, durationMaxMs, costMaxUsd, noProgressMax } = reading;
  return {
    iterationsMax,
    ...(durationMaxMs === undefined ? {} : { durationMaxMs }),
    ...(costMaxUsd === undefined ? {} : { costMaxUsd }),
    ...(noProgressMax === undefined ? {} : { noProgressMax }),
  };
}

import type { ClaimRule } from './claim.ts';
import type { FailureClass } from './event.ts';
import type { FinishRule } from './finish-rule.ts';
import type { Loop } from './journal.ts';
import type { CheckSpec, Criterion, Limit, Limits, Timing } from './loop.ts';

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

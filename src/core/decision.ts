import type { NearClaim } from './evidence.ts';
import type { CancelCause, Guard, Level, Pause } from './loop.ts';
import type { Strategy } from './progress.ts';
import type { JudgeChange, RoomDoubt, RoomLack, SignCode } from './room.ts';

/**
 * What the core decided, as data: codes and numbers, no sentences. Sentences are made by `views`, so that a reworded
 * sentence never makes an old journal replay differently.
 */
export type Decision =
  | {
      readonly kind: 'continue';
      readonly iteration: number;
      readonly strategy: Strategy;
      /** No iteration is allowed after this one, and its prompt mentions that. */
      readonly last: boolean;
      readonly delayMs: number;
      /** The iteration was undelivered, interrupted or failed: it runs again under its own number. */
      readonly rerun: boolean;
      /** A check outlasts the hook: nothing is counted, and the prompt tells the agent how to wait for it. */
      readonly waiting?: true;
      /** The conversation still has the goal and the rules: the prompt does not repeat them. */
      readonly brief?: true;
      readonly unmet: readonly Unmet[];
    }
  | {
      readonly kind: 'complete';
      readonly verified: boolean;
      /** How it was verified; absent = unverified, or the loop has no room. */
      readonly level?: Level;
      /** Unverified, because the checks also passed before the agent began. The value is where they pass now: nothing broke there. */
      readonly greenBefore?: 'room' | 'tree';
      readonly proofs: readonly Proof[];
    }
  | {
      readonly kind: 'halt';
      readonly guard: Guard;
      readonly limit: number | null;
      readonly actual: number | null;
      readonly detail?: string;
      readonly unmet: readonly Unmet[];
    }
  /** `unmet`: what the turn left open, for the prompt after the pause. `waiting`: as above, the turn is not judged yet. */
  | ({ readonly kind: 'pause'; readonly unmet?: readonly Unmet[]; readonly waiting?: true } & Pause)
  | { readonly kind: 'cancel'; readonly because?: CancelCause }
  /** A tool call of the host is refused because these are unmet. */
  | { readonly kind: 'refuse'; readonly unmet: readonly Unmet[] }
  /** The state changes, but the agent gets no answer: a lease, a delivery, a message for the next prompt. */
  | { readonly kind: 'record' }
  /** Not ours, or not what the loop is waiting for. Changes nothing and is not committed. */
  | { readonly kind: 'abstain'; readonly because: AbstainReason };

export type AbstainReason =
  | 'no-loop'
  /** The content of the dialect's file cannot be trusted: the agent may stop, and the user is notified. */
  | 'file-unreadable'
  | 'not-running'
  | 'not-paused'
  | 'ended'
  | 'not-awaited'
  | 'duplicate'
  | 'background-work'
  | 'user-first'
  | 'held-by-other'
  | 'limit-not-raised'
  | 'wait-not-over'
  /** The work has changed since the person was asked about it. */
  | 'work-changed';

/** Why the finish rule is not met yet. */
export type Unmet =
  | {
      readonly kind: 'check';
      readonly name: string;
      readonly result: 'failed' | 'unknown' | 'not-run';
      readonly holdout?: true;
      readonly regressed?: true;
    }
  /** `near`: the agent wrote something that looks like a claim but does not count. */
  | { readonly kind: 'claim'; readonly near?: NearClaim }
  | { readonly kind: 'criterion'; readonly text: string }
  | { readonly kind: 'approval'; readonly request: string }
  /** From a `not`: this is true and must not be. */
  | { readonly kind: 'forbidden'; readonly what: string }
  /** It passes in the work tree but not in the clean room. */
  | {
      readonly kind: 'room';
      readonly name: string;
      readonly result: 'failed' | 'unknown';
      readonly doubt: RoomDoubt;
      readonly before?: number;
      readonly now?: number;
      readonly holdout?: true;
    }
  /** The agent changed it, and the check passes only because of that. */
  | ({ readonly kind: 'judge-file' } & JudgeChange)
  | {
      readonly kind: 'sign';
      readonly code: SignCode;
      readonly path: string;
      readonly line: number;
      readonly text: string;
    }
  /** There was a room at the start, but none can be created now. */
  | { readonly kind: 'room-lost'; readonly why: RoomLack; readonly detail: string };

/** What made the rule true. Only `check` and `approval` verify. */
export type Proof = {
  readonly kind: 'check' | 'approval' | 'claim' | 'criterion' | 'file-moved' | 'file-status';
  readonly name: string;
};

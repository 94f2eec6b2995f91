import type { Edits, Limits, LoopId, SessionRef, Spec, TurnMark, Worker } from './loop.ts';

/** Something that happened, noun-verb in the past tense. Small: raw text travels beside it and becomes evidence. */
export type Event =
  | {
      readonly kind: 'loop-started';
      readonly loop: LoopId;
      readonly spec: Spec;
      readonly session: SessionRef | null;
      readonly cwd: string;
      readonly machine: string;
    }
  | { readonly kind: 'baseline-taken' }
  | { readonly kind: 'worker-leased'; readonly worker: Worker }
  | { readonly kind: 'worker-released'; readonly worker: string }
  /** The prompt was handed over. */
  | { readonly kind: 'iteration-began'; readonly iteration: number; readonly worker: string | null }
  | ({ readonly kind: 'turn-ended'; readonly cut?: Cut; readonly mark?: TurnMark } & OfTurn)
  | ({ readonly kind: 'turn-failed'; readonly failure: Failure } & OfTurn)
  /** The user stopped the agent's turn by hand. */
  | ({ readonly kind: 'turn-aborted' } & OfTurn)
  /** `trouble`: not a user but the driver asks, because the world does not let it go on. */
  | { readonly kind: 'pause-requested'; readonly trouble?: string }
  | { readonly kind: 'resume-requested'; readonly limits?: Partial<Limits> }
  | { readonly kind: 'cancel-requested' }
  | { readonly kind: 'steering-given'; readonly text: string }
  | { readonly kind: 'approval-given'; readonly request: string }
  | { readonly kind: 'approval-refused'; readonly request: string; readonly reason: string }
  /** Someone changed the dialect's file by hand. `gone`: deleted, or switched off: the user's way to cancel. */
  | {
      readonly kind: 'file-edited';
      readonly edits: Edits;
      readonly limits: Partial<Limits>;
      readonly counted: number;
      readonly gone: boolean;
    }
  /** The user goes on with the loop in another session: from now on it answers that one and no other. */
  | { readonly kind: 'session-changed'; readonly session: SessionRef }
  /** The time a parked loop was waiting for has come. */
  | { readonly kind: 'wait-ended' };

/** Both `null` in a session, where the host drives and knows no numbers: the current iteration is meant. */
type OfTurn = { readonly iteration: number | null; readonly worker: string | null };

/** Who ended the turn, when it was not the agent. */
export type Cut = 'iteration-timeout' | 'idle-timeout' | 'duration-max';

export type FailureClass = 'transient' | 'fatal' | 'unknown' | 'usage-limit';

export type Failure = {
  readonly class: FailureClass;
  /** What was seen, bounded: exit code, signal, the end of stderr. */
  readonly detail: string;
  readonly exitCode?: number;
  /** A turn that failed this often in a row is not tried again: a person is asked. Absent = only the guards end it. */
  readonly triesMax?: number;
  /** With `usage-limit`: when the host said it ends, epoch milliseconds. */
  readonly resumeAt?: number;
};

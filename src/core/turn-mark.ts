import type { ClockReading } from './evidence.ts';

/** Distinguishes one stop reported twice from two stops: see `isReportedAgain` in `decide-turn.ts`. */
export type TurnMark = {
  readonly messageHash: string;
  /** The host's name for this one stop, if it has one: equal names are the same stop, different names are different stops. */
  readonly stop?: string;
  /** A further sign of the same stop, for when the start time of the report is unknown. */
  readonly transcriptBytes?: number;
};

/** `decided`: when its decision was made. Absent = the version did not record it. */
export type LastTurn = TurnMark & { readonly decided?: ClockReading };

import type { ClockReading } from './evidence.ts';

/** Distinguishes one stop reported twice from two stops: see `isReportedAgain` in `decide-turn.ts`. */
export type TurnMark = {
  readonly messageHash: string;
  /** The host's name for this stop, if it has one: the same name means the same stop, a different name another one. */
  readonly stop?: string;
  /** A further sign of the same stop, used if the start time of the report is unknown. */
  readonly transcriptBytes?: number;
};

/** `decided`: when its decision was made. Absent = the version did not record it. */
export type LastTurn = TurnMark & { readonly decided?: ClockReading };

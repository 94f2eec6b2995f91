import type { RawLine, TranscriptReader } from '../engine/ports.ts';

/** The agent waited for the user during this time, epoch milliseconds. */
export type AnswerWait = { readonly fromMs: number; readonly untilMs: number };

/** Returns at least the waits of the last turn, in any order. Gets the last line of the transcript first. */
export type ReadAnswerWaits = (lines: Iterable<RawLine>, textOf: TranscriptReader['textOf']) => readonly AnswerWait[];

/** Tools of one message wait in parallel, so overlapping time is counted once. */
export function dialogMsIn(waits: readonly AnswerWait[], sinceMs: number): number {
  let dialogMs = 0;
  let countedUntil = sinceMs;
  for (const { fromMs, untilMs } of waits.toSorted((one, other) => one.fromMs - other.fromMs)) {
    dialogMs += Math.max(0, untilMs - Math.max(fromMs, countedUntil));
    countedUntil = Math.max(countedUntil, untilMs);
  }
  return dialogMs;
}

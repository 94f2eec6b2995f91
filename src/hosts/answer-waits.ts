import type { RawLine, TranscriptReader } from '../engine/ports.ts';

/** The agent waited for an answer of the user from here to there, epoch milliseconds. */
export type AnswerWait = { readonly fromMs: number; readonly untilMs: number };

/** Those of the last turn at least, in any order. The last line of the transcript comes first. */
export type ReadAnswerWaits = (lines: Iterable<RawLine>, textOf: TranscriptReader['textOf']) => readonly AnswerWait[];

/** Tools of one message wait side by side: time is counted once. */
export function waitedMsIn(waits: readonly AnswerWait[], sinceMs: number): number {
  let waitedMs = 0;
  let countedUntil = sinceMs;
  for (const { fromMs, untilMs } of waits.toSorted((one, other) => one.fromMs - other.fromMs)) {
    waitedMs += Math.max(0, untilMs - Math.max(fromMs, countedUntil));
    countedUntil = Math.max(countedUntil, untilMs);
  }
  return waitedMs;
}

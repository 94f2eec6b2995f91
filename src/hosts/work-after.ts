import type { RawLine, TranscriptReader } from '../engine/ports.ts';
import { parseRecord } from './transcript.ts';
import type { WorkSigns } from './work-signs.ts';
import { hasMark, SIGN_LIMITS } from './work-signs.ts';

/** When the agent first worked after this time, epoch milliseconds: with that, a dialog was answered. */
export function readWorkAfterMs(
  transcript: string,
  { work, repeats = [] }: Pick<WorkSigns, 'work' | 'repeats'>,
  { readBackwards, textOf }: TranscriptReader,
  sinceMs: number,
): number | undefined {
  const firstIn = (lines: Iterable<RawLine>): number | undefined => {
    let first: number | undefined;
    for (const line of lines) {
      if (!hasMark(line, work) || hasMark(line, repeats)) continue;
      const at = Date.parse(String(parseRecord(textOf(line))?.['timestamp']));
      if (at <= sinceMs) break;
      if (!Number.isNaN(at)) first = at;
    }
    return first;
  };
  return readBackwards(transcript, firstIn, SIGN_LIMITS) ?? undefined;
}

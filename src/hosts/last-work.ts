import type { RawLine, TranscriptReader } from '../engine/ports.ts';
import { parseRecord } from './transcript.ts';
import type { WorkSigns } from './work-signs.ts';
import { hasMark, SIGN_LIMITS } from './work-signs.ts';

/** When the agent was last at work, epoch milliseconds: Esc, a failed turn and the end of the program are not always reported, but the transcript shows the last work. */
export function readLastWorkMs(
  transcript: string,
  { work, repeats = [] }: Pick<WorkSigns, 'work' | 'repeats'>,
  { readBackwards, textOf }: TranscriptReader,
): number | undefined {
  const lastIn = (lines: Iterable<RawLine>): number | undefined => {
    for (const line of lines) {
      if (!hasMark(line, work) || hasMark(line, repeats)) continue;
      const at = Date.parse(String(parseRecord(textOf(line))?.['timestamp']));
      if (!Number.isNaN(at)) return at;
    }
    return undefined;
  };
  return readBackwards(transcript, lastIn, SIGN_LIMITS) ?? undefined;
}

import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { parseRecord } from '../transcript.ts';

const LIMITS = { scannedBytesMax: 16 * 1024 * 1024 };

/** What stands in a line while the agent works, and in the one that Esc leaves. */
const WORK = ['"type":"assistant"', '"type":"tool_result"', '[Request interrupted by user'];

/** When the agent was last at work, epoch milliseconds: Esc is reported by no hook, but stands in the transcript with its time. */
export function readLastWorkMs(transcript: string, { readBackwards, textOf }: TranscriptReader): number | undefined {
  const lastIn = (lines: Iterable<RawLine>): number | undefined => {
    for (const line of lines) {
      if (!WORK.some((mark) => line.includes(mark))) continue;
      const at = Date.parse(String(parseRecord(textOf(line))?.['timestamp']));
      if (!Number.isNaN(at)) return at;
    }
    return undefined;
  };
  return readBackwards(transcript, lastIn, LIMITS) ?? undefined;
}

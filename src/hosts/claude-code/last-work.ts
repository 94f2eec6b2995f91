import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { parseRecord } from '../transcript.ts';

const LIMITS = { scannedBytesMax: 16 * 1024 * 1024 };

/** What stands in a line while the agent works, and in the one that Esc leaves. */
const INTERRUPTED = '[Request interrupted by user';
const WORK = ['"type":"assistant"', '"type":"tool_result"', INTERRUPTED];

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

/** Esc was the last thing that happened to the agent: nobody has written to it since. */
export function isInterrupted(transcript: string, { readBackwards, textOf }: TranscriptReader): boolean {
  const isLast = (lines: Iterable<RawLine>): boolean => {
    for (const line of lines) {
      // A prompt of the user is a line of theirs, and so is what Esc leaves.
      if (!line.includes('"type":"user"') && !line.includes('"type":"assistant"')) continue;
      const record = parseRecord(textOf(line));
      if (record?.['isMeta'] === true) continue;
      return record?.['type'] === 'user' && line.includes(INTERRUPTED);
    }
    return false;
  };
  return readBackwards(transcript, isLast, LIMITS) === true;
}

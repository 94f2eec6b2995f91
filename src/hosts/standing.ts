import type { RawLine, TranscriptReader } from '../engine/ports.ts';
import type { Standing } from '../core/session-activity.ts';
import { readLastWorkMs } from './last-work.ts';
import { parseRecord } from './transcript.ts';
import type { WorkSigns } from './work-signs.ts';
import { hasMark, SIGN_LIMITS } from './work-signs.ts';

/** What the transcript of a session shows about its agent, where hooks report too little. */
export type TurnWatch = {
  /** When the agent was last at work, epoch milliseconds. */
  readonly lastWorkMs: (transcript: string, reader: TranscriptReader) => number | undefined;
  /** Why nobody is at work; `null` = somebody may be. */
  readonly standing: (transcript: string, reader: TranscriptReader, nowMs: number) => Standing | null;
  /** Did this command wait for the end of a turn? Absent = cannot be told. */
  readonly hasWaited?: (transcript: string, reader: TranscriptReader, command: string) => boolean;
};

/** A host that tries again by itself has given up after this. */
const RETRIES_MS_MAX = 120_000;

export function watchTurns(signs: WorkSigns): TurnWatch {
  return {
    lastWorkMs: (transcript, reader) => readLastWorkMs(transcript, signs, reader),
    standing: (transcript, reader, nowMs) =>
      reader.readBackwards(transcript, (lines) => standingIn(lines, signs, reader, nowMs), SIGN_LIMITS),
  };
}

function standingIn(
  lines: Iterable<RawLine>,
  { work, interrupted, failed, retried = [], begins, repeats = [] }: WorkSigns,
  { textOf }: TranscriptReader,
  nowMs: number,
): Standing | null {
  for (const line of lines) {
    if (hasMark(line, repeats)) continue;
    if (hasMark(line, interrupted)) return 'interrupted';
    if (hasMark(line, failed)) {
      const at = Date.parse(String(parseRecord(textOf(line))?.['timestamp']));
      return hasMark(line, retried) && nowMs - at < RETRIES_MS_MAX ? null : 'failed';
    }
    if (hasMark(line, work) || hasMark(line, begins)) return null;
  }
  return null;
}

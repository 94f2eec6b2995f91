import type { Standing } from '../../core/session-activity.ts';
import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { readLastWorkMs } from '../last-work.ts';
import type { TurnWatch } from '../standing.ts';
import { parseRecord } from '../transcript.ts';
import { SIGN_LIMITS } from '../work-signs.ts';
import { INTERRUPTED, WORK_SIGNS } from './work-signs.ts';

export const turns: TurnWatch = {
  lastWorkMs: (transcript, reader) => readLastWorkMs(transcript, WORK_SIGNS, reader),
  standing,
};

/** Esc was the last thing that happened to the agent: nobody has written to it since. A failed turn is reported by a hook. */
function standing(transcript: string, { readBackwards, textOf }: TranscriptReader): Standing | null {
  const lastIn = (lines: Iterable<RawLine>): Standing | null => {
    for (const line of lines) {
      // A prompt of the user is a line of theirs, and so is what Esc leaves.
      if (!line.includes('"type":"user"') && !line.includes('"type":"assistant"')) continue;
      const record = parseRecord(textOf(line));
      if (record?.['isMeta'] === true) continue;
      return record?.['type'] === 'user' && line.includes(INTERRUPTED) ? 'interrupted' : null;
    }
    return null;
  };
  return readBackwards(transcript, lastIn, SIGN_LIMITS);
}

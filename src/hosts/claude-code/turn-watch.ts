import type { IdleCause } from '../../core/session-activity.ts';
import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { readLastWorkMs } from '../last-work.ts';
import { readWorkAfterMs } from '../work-after.ts';
import type { TurnWatch } from '../turn-watch.ts';
import { readFailedTurn } from '../turn-watch.ts';
import { parseRecord } from '../transcript.ts';
import { SIGN_LIMITS } from '../work-signs.ts';
import { classifyFailure, failureWords } from './failure-words.ts';
import { readTurnSigns } from './turn-signs.ts';
import { FAILED, INTERRUPTED, WORK_SIGNS } from './work-signs.ts';

export const turns: TurnWatch = {
  lastWorkMs: (transcript, reader) => readLastWorkMs(transcript, WORK_SIGNS, reader),
  workAfterMs: (transcript, reader, sinceMs) => readWorkAfterMs(transcript, WORK_SIGNS, reader, sinceMs),
  idleCause,
  failedTurn: (transcript, reader) => readFailedTurn(transcript, FAILURE, reader),
  hasWaited,
  messageWaits: (transcript, reader) => readTurnSigns(transcript, reader).messageWaits,
};

const FAILURE = {
  signs: { ...WORK_SIGNS, interrupted: [INTERRUPTED], failed: [FAILED] },
  words: failureWords,
  classify: classifyFailure,
};

/**
 * Typed text is recorded in the transcript before the agent receives it. If the agent wrote something in between, the command waited for
 * it. Without its screen, Claude Code records its prompt in the same way, and nothing comes in between.
 */
const WAITED_LINES_MAX = 24;

function hasWaited(transcript: string, { readBackwards, textOf }: TranscriptReader, command: string): boolean {
  const isNoted = (lines: Iterable<RawLine>): boolean => {
    let left = WAITED_LINES_MAX;
    let isAgentSeen = false;
    for (const line of lines) {
      if (left-- <= 0) return false;
      if (line.includes('"operation":"enqueue"') && textOf(line).includes(command)) return isAgentSeen;
      isAgentSeen ||= line.includes('"type":"assistant"');
    }
    return false;
  };
  return readBackwards(transcript, isNoted, SIGN_LIMITS) === true;
}

/** Esc or an error was the agent's last event, and no prompt came after it. */
function idleCause(transcript: string, { readBackwards, textOf }: TranscriptReader): IdleCause | null {
  const lastIn = (lines: Iterable<RawLine>): IdleCause | null => {
    for (const line of lines) {
      // Both a prompt of the user and the trace of Esc are lines of the user.
      if (!line.includes('"type":"user"') && !line.includes('"type":"assistant"')) continue;
      const record = parseRecord(textOf(line));
      if (record?.['isMeta'] === true) continue;
      if (record?.['type'] === 'user') return line.includes(INTERRUPTED) ? 'interrupted' : null;
      return record?.['isApiErrorMessage'] === true ? 'failed' : null;
    }
    return null;
  };
  return readBackwards(transcript, lastIn, SIGN_LIMITS);
}

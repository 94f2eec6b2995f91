import type { FailedTurn, Failure } from '../core/event.ts';
import { classifyError } from '../core/failure-class.ts';
import type { RawLine, TranscriptReader } from '../engine/ports.ts';
import type { IdleCause } from '../core/session-activity.ts';
import type { Fields } from './fields.ts';
import { readLastWorkMs } from './last-work.ts';
import { readWorkAfterMs } from './work-after.ts';
import { parseRecord } from './transcript.ts';
import type { WorkSigns } from './work-signs.ts';
import { hasMark, SIGN_LIMITS } from './work-signs.ts';

/** What the transcript of a session shows about its agent, if hooks report too little. */
export type TurnWatch = {
  /** When the agent was last at work, epoch milliseconds. */
  readonly lastWorkMs: (transcript: string, reader: TranscriptReader) => number | undefined;
  /** When it first was after this time, epoch milliseconds. */
  readonly workAfterMs: (transcript: string, reader: TranscriptReader, sinceMs: number) => number | undefined;
  /** Why the agent is not at work; `null` = it may be. */
  readonly idleCause: (transcript: string, reader: TranscriptReader, nowMs: number) => IdleCause | null;
  /** The last turn, if it failed; `null` = it did not. Used when the next turn begins. */
  readonly failedTurn?: (transcript: string, reader: TranscriptReader) => FailedTurn | null;
  /** Does a message wait for the end of the turn, or a notice that background work has ended? Absent = unknown. */
  readonly messageWaits?: (transcript: string, reader: TranscriptReader) => boolean;
  /** Did this command wait for the end of a turn? Absent = unknown. */
  readonly hasWaited?: (transcript: string, reader: TranscriptReader, command: string) => boolean;
};

/** A host that retries by itself has given up after this time. */
const RETRIES_MS_MAX = 120_000;

/** Part of the host, created when its folder is loaded. `words`: why the turn failed, from the line that shows it; empty = it does not show why. */
export const watchTurns = (signs: WorkSigns, words: (record: Fields) => string): TurnWatch => ({
  lastWorkMs: (transcript, reader) => readLastWorkMs(transcript, signs, reader),
  workAfterMs: (transcript, reader, sinceMs) => readWorkAfterMs(transcript, signs, reader, sinceMs),
  idleCause: (transcript, reader, nowMs) =>
    reader.readBackwards(transcript, (lines) => idleCauseIn(lines, signs, reader, nowMs), SIGN_LIMITS),
  failedTurn: (transcript, reader) => readFailedTurn(transcript, { signs, words }, reader),
});

/** How a transcript shows a failed turn. `classify`: for a host whose errors need more than the usual words. */
type FailureSigns = {
  readonly signs: Pick<WorkSigns, 'work' | 'interrupted' | 'failed' | 'repeats'>;
  readonly words: (record: Fields) => string;
  readonly classify?: typeof classifyError;
};

export function readFailedTurn(transcript: string, look: FailureSigns, reader: TranscriptReader): FailedTurn | null {
  return reader.readBackwards(transcript, (lines) => failedTurnIn(lines, look, reader), SIGN_LIMITS);
}

function idleCauseIn(
  lines: Iterable<RawLine>,
  { work, interrupted, failed, retried = [], begins, repeats = [] }: WorkSigns,
  { textOf }: TranscriptReader,
  nowMs: number,
): IdleCause | null {
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

const UNEXPLAINED: Failure = { class: 'unknown', detail: 'the session shows why', unexplained: true };
const DETAIL_CHARS_MAX = 1000;

/** The prompt that begins the next turn may already be in the transcript. */
function failedTurnIn(
  lines: Iterable<RawLine>,
  { signs, words, classify = classifyError }: FailureSigns,
  { textOf }: TranscriptReader,
): FailedTurn | null {
  const { work, interrupted, failed, repeats = [] } = signs;
  for (const line of lines) {
    if (hasMark(line, repeats)) continue;
    if (hasMark(line, interrupted)) return null;
    if (hasMark(line, failed)) {
      const record = parseRecord(textOf(line));
      const atMs = Date.parse(String(record?.['timestamp']));
      if (record === undefined || Number.isNaN(atMs)) return null;
      const detail = words(record).slice(0, DETAIL_CHARS_MAX);
      return { atMs, failure: detail === '' ? UNEXPLAINED : { ...classify(detail, atMs), detail } };
    }
    if (hasMark(line, work)) return null;
  }
  return null;
}

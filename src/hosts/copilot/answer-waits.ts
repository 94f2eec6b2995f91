import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import type { AnswerWait } from '../answer-waits.ts';
import { fieldsOf, nameIn } from '../fields.ts';
import { parseRecord } from '../transcript.ts';
import { SIGN_LIMITS } from '../work-signs.ts';

/** Each of its events opens a line. */
const ASKED = '{"type":"permission.requested"';
const ANSWERED = '{"type":"permission.completed"';
const USER = '{"type":"user.message"';

/** Copilot CLI records when it asks the user for a permission, and when it was answered. */
export function readAnswerWaits(
  transcript: string,
  { readBackwards, textOf }: TranscriptReader,
): readonly AnswerWait[] {
  const read = (lines: Iterable<RawLine>): AnswerWait[] => {
    const waits: AnswerWait[] = [];
    const answers = new Map<string, number>();
    for (const line of lines) {
      // What sends the agent back is a line of the user, too.
      if (line.startsWith(USER)) break;
      if (!line.startsWith(ASKED) && !line.startsWith(ANSWERED)) continue;
      const record = parseRecord(textOf(line)) ?? {};
      const id = nameIn(fieldsOf(record['data']) ?? {}, 'requestId') ?? '';
      const atMs = Date.parse(nameIn(record, 'timestamp') ?? '');
      if (line.startsWith(ANSWERED)) answers.set(id, atMs);
      else {
        const untilMs = answers.get(id) ?? Number.NaN;
        if (untilMs > atMs) waits.push({ fromMs: atMs, untilMs });
      }
    }
    return waits;
  };
  return readBackwards(transcript, read, SIGN_LIMITS) ?? [];
}

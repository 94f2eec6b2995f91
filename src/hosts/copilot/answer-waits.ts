import type { AnswerWait, ReadAnswerWaits } from '../answer-waits.ts';
import { fieldsOf, nameIn } from '../fields.ts';
import { parseRecord } from '../transcript.ts';

/** Each of its events starts a line. */
const ASKED = '{"type":"permission.requested"';
const ANSWERED = '{"type":"permission.completed"';
const USER = '{"type":"user.message"';

/** Copilot CLI records when it asks the user for a permission, and when the user answered. */
export const readAnswerWaits: ReadAnswerWaits = (lines, textOf) => {
  const waits: AnswerWait[] = [];
  const answers = new Map<string, number>();
  for (const line of lines) {
    // The prompt that sends the agent back is a line of the user too.
    if (line.startsWith(USER)) break;
    const isAnswer = line.startsWith(ANSWERED);
    if (!isAnswer && !line.startsWith(ASKED)) continue;
    const record = parseRecord(textOf(line)) ?? {};
    const id = nameIn(fieldsOf(record['data']) ?? {}, 'requestId') ?? '';
    const atMs = Date.parse(nameIn(record, 'timestamp') ?? '');
    const untilMs = answers.get(id) ?? Number.NaN;
    if (isAnswer) answers.set(id, atMs);
    else if (untilMs > atMs) waits.push({ fromMs: atMs, untilMs });
  }
  return waits;
};

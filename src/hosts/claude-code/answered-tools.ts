/** Read at a stop only if the user answered a dialog in the turn that ended. */
import type { AnswerWait } from '../answer-waits.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, itemsIn, nameIn } from '../fields.ts';

/** `open`: until when each tool waited, by its id. */
export function noteAnswer(record: Fields, open: Map<string, number>): void {
  const atMs = timeOf(record);
  const result = fieldsOf(record['toolUseResult']) ?? {};
  const took = [result['durationMs'], result['totalDurationMs']].find((ms) => typeof ms === 'number');
  for (const id of blocksOf(record).flatMap((block) => nameIn(block, 'tool_use_id') ?? []))
    open.set(id, atMs - (typeof took === 'number' ? took : 0));
}

/** The waits of the tools that this line requested. */
export function waitsBegunIn(record: Fields, open: Map<string, number>): readonly AnswerWait[] {
  const fromMs = timeOf(record);
  return blocksOf(record).flatMap((block) => {
    const id = nameIn(block, 'id') ?? '';
    const untilMs = open.get(id);
    open.delete(id);
    return untilMs === undefined || Number.isNaN(fromMs) || Number.isNaN(untilMs) ? [] : [{ fromMs, untilMs }];
  });
}

function timeOf(record: Fields): number {
  return Date.parse(nameIn(record, 'timestamp') ?? '');
}

function blocksOf(record: Fields): readonly Fields[] {
  return itemsIn(fieldsOf(record['message']) ?? {}, 'content')
    .map(fieldsOf)
    .filter((block) => block !== undefined);
}

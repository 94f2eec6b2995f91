/** Read at a stop only if the user answered a dialog in the turn that ended. */
import type { AnswerWait, ReadAnswerWaits } from '../answer-waits.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, itemsIn, nameIn } from '../fields.ts';
import { parseRecord } from '../transcript.ts';
import { isAnswer, STOPPED, TOOL_USE } from './turn-signs.ts';

/**
 * Measured with 2.1.325: no hook and no line shows when a dialog was answered; only the result of the tool shows that there was one. So the
 * wait lasts from the request to the result, less the tool's own time if the result reports it.
 */
export const readAnswerWaits: ReadAnswerWaits = (lines, textOf) => {
  const waits: AnswerWait[] = [];
  const open = new Map<string, number>();
  for (const line of lines) {
    if (line.includes(STOPPED)) break;
    if (isAnswer(line)) noteAnswer(parseRecord(textOf(line)) ?? {}, open);
    else if (open.size > 0 && line.includes(TOOL_USE))
      waits.push(...waitsBegunIn(parseRecord(textOf(line)) ?? {}, open));
  }
  return waits;
};

/** `open`: until when each tool waited, by its id. */
function noteAnswer(record: Fields, open: Map<string, number>): void {
  const atMs = timeOf(record);
  const result = fieldsOf(record['toolUseResult']) ?? {};
  const took = [result['durationMs'], result['totalDurationMs']].find((ms) => typeof ms === 'number');
  for (const id of blocksOf(record).flatMap((block) => nameIn(block, 'tool_use_id') ?? []))
    open.set(id, atMs - (typeof took === 'number' ? took : 0));
}

/** The waits of the tools that this line requested. */
function waitsBegunIn(record: Fields, open: Map<string, number>): readonly AnswerWait[] {
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

import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import type { AnswerWait } from '../answer-waits.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, itemsIn, nameIn } from '../fields.ts';
import { parseRecord } from '../transcript.ts';
import { SIGN_LIMITS } from '../work-signs.ts';

/** In the result of a tool that the user allowed or refused in a dialog. Inside a text, each quote would be escaped. */
const ANSWERED = '"source":"user_';
const DECISION = '"permissionDecision":{';
const TOOL_USE = '"type":"tool_use"';
/** Every stop leaves such a line: whatever comes before it belongs to an earlier turn. */
const STOP = '"subtype":"stop_hook_summary"';

/**
 * Measured with 2.1.325: no hook and no line says when a dialog was answered, only the result of the tool says that there was one. So the wait
 * lasts from the request to the result, without the time that the tool took where its result says so.
 */
export function readAnswerWaits(
  transcript: string,
  { readBackwards, textOf }: TranscriptReader,
): readonly AnswerWait[] {
  const read = (lines: Iterable<RawLine>): AnswerWait[] => {
    const waits: AnswerWait[] = [];
    const open = new Map<string, number>();
    for (const line of lines) {
      if (line.includes(STOP)) break;
      if (line.includes(DECISION) && line.includes(ANSWERED)) noteAnswer(parseRecord(textOf(line)) ?? {}, open);
      else if (open.size > 0 && line.includes(TOOL_USE)) waits.push(...begun(parseRecord(textOf(line)) ?? {}, open));
    }
    return waits;
  };
  return readBackwards(transcript, read, SIGN_LIMITS) ?? [];
}

function noteAnswer(record: Fields, open: Map<string, number>): void {
  const atMs = timeOf(record);
  const result = fieldsOf(record['toolUseResult']) ?? {};
  const took = [result['durationMs'], result['totalDurationMs']].find((ms) => typeof ms === 'number');
  for (const id of blocksOf(record).flatMap((block) => nameIn(block, 'tool_use_id') ?? []))
    open.set(id, atMs - (typeof took === 'number' ? took : 0));
}

function begun(record: Fields, open: Map<string, number>): readonly AnswerWait[] {
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

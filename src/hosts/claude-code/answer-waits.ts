import type { AnswerWait, ReadAnswerWaits } from '../answer-waits.ts';
import { parseRecord } from '../transcript.ts';
import { noteAnswer, waitsBegunIn } from './answered-tools.ts';

/** In the result of a tool that the user allowed in a dialog. Inside a text, each quote would be escaped. */
const ALLOWED = ['"permissionDecision":{', '"source":"user_'];
/** The same for one that they refused. */
const REFUSED = '"toolDenialKind":"user-';
const TOOL_USE = '"type":"tool_use"';
/** Every stop leaves such a line: whatever comes before it belongs to an earlier turn. */
const STOP = '"subtype":"stop_hook_summary"';

/**
 * Measured with 2.1.325: no hook and no line says when a dialog was answered, only the result of the tool says that there was one. So the wait
 * lasts from the request to the result, without the time that the tool took where its result says so.
 */
export const readAnswerWaits: ReadAnswerWaits = (lines, textOf) => {
  const waits: AnswerWait[] = [];
  const open = new Map<string, number>();
  for (const line of lines) {
    if (line.includes(STOP)) break;
    if (line.includes(REFUSED) || ALLOWED.every((mark) => line.includes(mark)))
      noteAnswer(parseRecord(textOf(line)) ?? {}, open);
    else if (open.size > 0 && line.includes(TOOL_USE))
      waits.push(...waitsBegunIn(parseRecord(textOf(line)) ?? {}, open));
  }
  return waits;
};

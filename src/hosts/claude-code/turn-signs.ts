import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { SIGN_LIMITS } from '../work-signs.ts';

/**
 * Searches for a message back to the stop before the last one: text typed while the hooks of the last stop ran precedes that stop in the
 * transcript, and anything older was found then. A message waits at most for the next tool; a command waits for the end of the turn,
 * however much the turn writes.
 */
const STOPS = 2;
/** The start of a line. */
const OPERATION = '{"type":"queue-operation","operation":"';

/** Every stop leaves such a line. Quotes inside a text would be escaped. */
export const STOPPED = '"subtype":"stop_hook_summary"';
export const TOOL_USE = '"type":"tool_use"';
/** In the result of a tool that the user allowed in a dialog. */
const ALLOWED = ['"permissionDecision":{', '"source":"user_'];
/** In the result of a tool that the user refused. */
const REFUSED = '"toolDenialKind":"user-';

/** What the end of Claude Code's transcript shows about the turn, apart from the agent's message. */
export type TurnSigns = {
  /** Something was typed while the agent was working, and has not reached it yet. */
  readonly messageWaits: boolean;
  /** The user answered a dialog since the last stop. */
  readonly dialogAnswered: boolean;
  /** The agent used a tool since the last stop. A function, because most stops do not need it. */
  readonly toolUsed: () => boolean;
};

export function readTurnSigns(transcript: string, { readBackwards }: TranscriptReader): TurnSigns {
  return {
    ...(readBackwards(transcript, signsIn, SIGN_LIMITS) ?? { messageWaits: false, dialogAnswered: false }),
    toolUsed: () => readBackwards(transcript, toolUsed, SIGN_LIMITS) === true,
  };
}

function signsIn(lines: Iterable<RawLine>): Pick<TurnSigns, 'messageWaits' | 'dialogAnswered'> {
  const operations: string[] = [];
  let stops = 0;
  let dialogAnswered = false;
  for (const line of lines) {
    if (line.startsWith(OPERATION)) operations.push(line.slice(OPERATION.length));
    else if (line.includes(STOPPED)) stops += 1;
    else if (stops === 0 && isAnswer(line)) dialogAnswered = true;
    if (stops === STOPS) break;
  }
  let waiting = 0;
  for (const rest of operations.toReversed()) {
    if (rest.startsWith('enqueue"')) waiting += 1;
    else if (rest.startsWith('dequeue"') || rest.startsWith('remove"')) waiting = Math.max(0, waiting - 1);
    // In every other case it is better to continue than to let an agent stop for a message that does not exist.
    else waiting = 0;
  }
  return { messageWaits: waiting > 0, dialogAnswered };
}

/** The result of a tool for which the user answered a dialog. */
export function isAnswer(line: RawLine): boolean {
  return line.includes(REFUSED) || ALLOWED.every((mark) => line.includes(mark));
}

function toolUsed(lines: Iterable<RawLine>): boolean {
  for (const line of lines) {
    if (line.includes(TOOL_USE)) return true;
    if (line.includes(STOPPED)) break;
  }
  return false;
}

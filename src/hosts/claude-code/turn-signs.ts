import type { RawLine, TranscriptReader } from '../../engine/ports.ts';

/**
 * A message is looked for up to the stop before the last one: what was typed while the hooks of the last stop ran comes before that stop in the
 * transcript, and anything older was found then. A message waits at most for the next tool; a command waits for the end of the turn, however
 * much the turn writes.
 */
const STOPS = 2;
const LIMITS = { scannedBytesMax: 16 * 1024 * 1024 };
/** Opens a line. */
const OPERATION = '{"type":"queue-operation","operation":"';
/** Inside a text, each quote would be escaped. */
const HOOKS_ANSWERED = '"subtype":"stop_hook_summary"';
const TOOL_USE = '"type":"tool_use"';

/** What the end of Claude Code's transcript shows about the turn, apart from the agent's message. */
export type TurnSigns = {
  /** Something was typed while the agent works, and has not reached it yet. */
  readonly messageWaits: boolean;
  /** The agent used a tool since the last stop. A function, because most stops do not need it. */
  readonly toolUsed: () => boolean;
};

export function readTurnSigns(transcript: string, { readBackwards }: TranscriptReader): TurnSigns {
  return {
    messageWaits: readBackwards(transcript, messageWaits, LIMITS) === true,
    toolUsed: () => readBackwards(transcript, toolUsed, LIMITS) === true,
  };
}

function messageWaits(lines: Iterable<RawLine>): boolean {
  const operations: string[] = [];
  let stops = 0;
  for (const line of lines) {
    if (line.startsWith(OPERATION)) operations.push(line.slice(OPERATION.length));
    else if (line.includes(HOOKS_ANSWERED)) stops += 1;
    if (stops === STOPS) break;
  }
  let waiting = 0;
  for (const rest of operations.toReversed()) {
    if (rest.startsWith('enqueue"')) waiting += 1;
    else if (rest.startsWith('dequeue"') || rest.startsWith('remove"')) waiting = Math.max(0, waiting - 1);
    // In every other case: better to continue than to let an agent stop for a message that does not exist.
    else waiting = 0;
  }
  return waiting > 0;
}

function toolUsed(lines: Iterable<RawLine>): boolean {
  for (const line of lines) {
    if (line.includes(TOOL_USE)) return true;
    if (line.includes(HOOKS_ANSWERED)) break;
  }
  return false;
}

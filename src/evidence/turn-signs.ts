import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../system/errno.ts';
import { latin1Of } from '../system/text-of.ts';
import { fromHome } from './transcript-bytes.ts';

/** More than one turn without tools writes; in one with tools the host hands the message over by itself. */
const TAIL_BYTES_MAX = 256 * 1024;
/** At the beginning of a line: inside of a text each quote would stand behind a backslash. The same holds for those below. */
const OPERATION = '\n{"type":"queue-operation","operation":"';
const HOOKS_ANSWERED = '"subtype":"stop_hook_summary"';
const TOOL_USE = '"type":"tool_use"';

/** What the end of Claude Code's transcript tells about the turn, beside what was said. Read once. */
export type TurnSigns = {
  /** Something was typed while the agent works, and was not handed over yet. */
  readonly messageWaits: boolean;
  /** The agent used a tool since the last stop. A function: most stops never ask. */
  readonly toolUsed: () => boolean;
};

export function turnSigns(transcript: string): TurnSigns {
  const { text, isWhole } = tailOf(transcript);
  return { messageWaits: messageWaits(text), toolUsed: () => toolUsed(text, isWhole) };
}

function messageWaits(tail: string): boolean {
  // Nearly always there is none.
  const [, ...operations] = tail.split(OPERATION);
  let waiting = 0;
  for (const rest of operations) {
    if (rest.startsWith('enqueue"')) waiting += 1;
    else if (rest.startsWith('dequeue"') || rest.startsWith('remove"')) waiting = Math.max(0, waiting - 1);
    // Whatever else there is: better to go on than to let an agent stop for a message that is not there.
    else waiting = 0;
  }
  return waiting > 0;
}

function toolUsed(tail: string, isWhole: boolean): boolean {
  const answered = tail.lastIndexOf(HOOKS_ANSWERED);
  // Mere text does not fill the tail: it is what some tool brought.
  return tail.lastIndexOf(TOOL_USE) > answered || (answered === -1 && !isWhole);
}

const NOTHING = { text: '', isWhole: true };

/** A letter for each byte: all that is looked for is plain, and a string is searched without waking more of Node. */
function tailOf(transcript: string): { readonly text: string; readonly isWhole: boolean } {
  try {
    const descriptor = openSync(fromHome(transcript), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if ((stats.mode & constants.S_IFMT) !== constants.S_IFREG) return NOTHING;
      const tail = Buffer.allocUnsafeSlow(Math.min(stats.size, TAIL_BYTES_MAX));
      const count = readSync(descriptor, tail, 0, tail.length, stats.size - tail.length);
      return { text: latin1Of(tail, count), isWhole: stats.size === tail.length };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return NOTHING;
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../system/errno.ts';
import { latin1Of } from '../system/text-of.ts';
import { fromHome } from './transcript-bytes.ts';

/**
 * How much of the end is looked at: more, and more again, as long as it does not reach back to the stop before the last one. What was typed
 * while the hooks of the last one ran stands before them, and what was typed earlier was seen there. Messages wait for the next tool at most;
 * it is commands that wait for the end of the turn, however much it writes.
 */
const TAIL_BYTES_MAX = [32 * 1024, 256 * 1024, 1024 * 1024];
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

type Tail = { readonly text: string; readonly isWhole: boolean };

const NOTHING: Tail = { text: '', isWhole: true };

function tailOf(transcript: string): Tail {
  try {
    const descriptor = openSync(fromHome(transcript), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { mode, size } = fstatSync(descriptor);
      if ((mode & constants.S_IFMT) !== constants.S_IFREG) return NOTHING;
      let tail = NOTHING;
      for (const bytesMax of TAIL_BYTES_MAX) {
        tail = readTail(descriptor, size, bytesMax);
        if (tail.isWhole || tail.text.indexOf(HOOKS_ANSWERED) !== tail.text.lastIndexOf(HOOKS_ANSWERED)) break;
      }
      return tail;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return NOTHING;
  }
}

/** A letter for each byte: all that is looked for is plain, and a string is searched without waking more of Node. */
function readTail(descriptor: number, size: number, bytesMax: number): Tail {
  const tail = Buffer.allocUnsafeSlow(Math.min(size, bytesMax));
  const count = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return { text: latin1Of(tail, count), isWhole: tail.length === size };
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../system/errno.ts';
import { fromHome } from './transcript-bytes.ts';

/** More than one turn without tools writes; in one with tools the host hands the message over by itself. */
const TAIL_BYTES_MAX = 256 * 1024;
/** At the beginning of a line: inside of a text each quote would stand behind a backslash. */
const OPERATION = '\n{"type":"queue-operation","operation":"';

/** Claude Code notes in its transcript what was typed while the agent works. `true` = some of it was not handed over yet. */
export function messageWaits(transcript: string): boolean {
  const [, ...operations] = tailOf(transcript).split(OPERATION);
  let waiting = 0;
  for (const rest of operations) {
    if (rest.startsWith('enqueue"')) waiting += 1;
    else if (rest.startsWith('dequeue"') || rest.startsWith('remove"')) waiting = Math.max(0, waiting - 1);
    // Whatever else there is: better to go on than to let an agent stop for a message that is not there.
    else waiting = 0;
  }
  return waiting > 0;
}

function tailOf(transcript: string): string {
  try {
    const descriptor = openSync(fromHome(transcript), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return '';
      const tail = Buffer.allocUnsafe(Math.min(stats.size, TAIL_BYTES_MAX));
      const count = readSync(descriptor, tail, 0, tail.length, stats.size - tail.length);
      // Nearly always there is none, and to look for it in bytes costs a stop the least.
      return tail.includes(OPERATION) ? tail.toString('latin1', 0, count) : '';
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}

/**
 * How many turns the loops in the state files of one project took on one day: one byte per turn, appended to a file named by the day. The
 * length is the count, so no content can be torn or lost by a kill, and processes that count at the same time each get their own number.
 */
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { storeFault } from '../system/files.ts';
import { sha256 } from '../system/ids.ts';

const NAME_CHARS = 32;

/** Throws a Fault if it cannot count; the agent may then stop. */
export function countTurn(home: string, project: string, day: string): number {
  const folder = path.join(home, 'days', sha256(project).slice(0, NAME_CHARS));
  const file = path.join(folder, day);
  try {
    mkdirSync(folder, { recursive: true });
    appendFileSync(file, '.');
    const turns = statSync(file).size;
    if (turns === 1) removeOtherDays(folder, day);
    return turns;
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/** Only earlier days: a clock that was set back must not remove a day that will come again. */
function removeOtherDays(folder: string, day: string): void {
  for (const name of readdirSync(folder)) if (name < day) rmSync(path.join(folder, name), { force: true });
}

import { Fault, isFault } from '../core/fault.ts';
import { GOAL_BYTES_MAX, goalTooLarge, requireGoal } from '../engine/spec/require-goal.ts';
import { errnoOf } from '../system/errno.ts';
import { readTextIfExists } from '../system/files.ts';
import { reasonFor } from '../system/store-fault.ts';
import type { Input } from './io.ts';
import { readInput } from './io.ts';

const EXAMPLE = '"make the tests pass" --check "npm test"';

export type GoalSources = {
  readonly words: readonly string[];
  readonly file: string | undefined;
  readonly stdin: Input;
  /** Text from a list, added after the goal. A list needs no other goal, and stdin is then read only for `-`. */
  readonly listed?: string;
};

/**
 * The goal as typed, byte for byte: from the words, a file, or stdin (`-`, or no goal and a pipe). From here on it is data: nothing in it
 * is ever parsed, neither as a flag nor by a shell.
 */
export async function goalFrom(
  { words, file, stdin, listed = '' }: GoalSources,
  { example = EXAMPLE, problem }: { readonly example?: string; readonly problem?: string } = {},
): Promise<string> {
  const fromStdin = words.length === 1 && words[0] === '-';
  if (file !== undefined && words.length > 0)
    throw new Fault(
      'USAGE',
      'The goal was given twice: in words and with --goal-file. Give it once; use --criterion or "tireless steer" for the rest.',
    );
  const typed =
    file === undefined
      ? fromStdin || (words.length === 0 && !stdin.isTTY && listed === '')
        ? await readStdinText(stdin)
        : words.join(' ')
      : readGoalFile(file);
  const goal = listed === '' ? typed : typed.trim() === '' ? listed : `${typed}\n\n${listed}`;
  return requireGoal(goal, example, problem);
}

function readGoalFile(file: string): string {
  const goal = readTyped(file);
  if (goal === undefined) throw unreadableGoal(file, 'there is no such file');
  return goal;
}

function readTyped(file: string): string | undefined {
  try {
    return readTextIfExists(file, 'pipe');
  } catch (error) {
    const errno = isFault(error) ? errnoOf(error.cause) : undefined;
    throw errno === undefined ? error : unreadableGoal(file, reasonFor(errno));
  }
}

function unreadableGoal(file: string, why: string): Fault {
  return new Fault('USAGE', `Cannot read the goal from ${file}: ${why}. Correct the path of --goal-file, or the file.`);
}

export async function readStdinText(stdin: Input): Promise<string> {
  const bytes = await readInput(stdin, GOAL_BYTES_MAX);
  if (bytes === undefined) throw goalTooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Fault(
      'USAGE',
      'The goal on stdin is not UTF-8 text. Convert it, for example with iconv, and start again.',
      { cause: error },
    );
  }
}

import { Fault } from '../../core/fault.ts';
import { bytesOf } from '../../core/quoting.ts';

/** Every prompt carries the goal, and no agent reads more than this. */
export const GOAL_BYTES_MAX: number = 4 * 1024 * 1024;

/** `example`: a goal with a check, as the caller would write it. `problem`: what an empty goal means to the caller. Throws `USAGE`. */
export function requireGoal(goal: string, example: string, problem = 'The goal is empty'): string {
  if (goal.trim() === '')
    throw new Fault('USAGE', `${problem}. Say what to achieve and what proves it, for example: ${example}.`);
  requireGoalSize(bytesOf(goal));
  return goal;
}

export function requireGoalSize(bytes: number): void {
  if (bytes > GOAL_BYTES_MAX) throw goalTooLarge();
}

export function goalTooLarge(): Fault {
  return new Fault(
    'USAGE',
    `The goal has more than ${GOAL_BYTES_MAX} bytes. Put the details into a file of the project and name it in the goal.`,
  );
}

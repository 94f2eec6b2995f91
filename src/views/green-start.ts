import type { CheckResult } from '../core/evidence.ts';

/** For a loop whose checks all pass before the agent has begun. */
export const GREEN_START =
  'every check passes already, so the agent also has to claim that it is done, and no check proves the goal; add one that fails until the goal is met';

/** Do all checks that the agent knows pass? */
export function isGreen(results: readonly CheckResult[]): boolean {
  const shown = results.filter((check) => check.holdout !== true);
  return shown.length > 0 && shown.every((check) => check.result === 'passed');
}

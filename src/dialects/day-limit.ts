import type { Decision } from '../core/decision.ts';

/** The text when the day limit is reached, for which documents have none. `how`: what allows more. */
export function dayLimitText(
  { actual, limit }: Pick<Decision & { kind: 'halt' }, 'actual' | 'limit'>,
  how = '--max-day-turns of the hook, or dayTurnsMax in the library,',
): string {
  return `${actual} of ${limit} turns used today by the state files of this project; ${how} allows more`;
}

/** Why this cannot be a limit of turns per day, without a full stop; `null` = it can. */
export function whyNotDayTurns(given: number | 'unlimited'): string | null {
  const isLimit = given === 'unlimited' || (Number.isInteger(given) && given >= 1);
  return isLimit ? null : `dayTurnsMax takes a whole number from 1 or 'unlimited', not ${String(given)}`;
}

import type { Decision } from '../core/decision.ts';

/** What a document says when the turns of a day are used up: its own words know no such limit. `how`: what allows more. */
export function dayLimitText(
  { actual, limit }: Pick<Decision & { kind: 'halt' }, 'actual' | 'limit'>,
  how = '--max-day-turns of the hook, or dayTurnsMax in the library,',
): string {
  return `${actual} of ${limit} turns used today by the state files of this project; ${how} allows more`;
}

import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

/** The first form is used by minitest and Rails, the second by test-unit. */
const CLOSES =
  /^(\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, (?:\d+ skips|\d+ pendings, \d+ omissions, \d+ notifications))$/gm;

export const minitest: Runner = {
  name: 'minitest',
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsBefore(parts);
    const skipped = amount('skips', 'pendings', 'omissions');
    return { ran: Math.max(0, amount('runs', 'tests') - skipped), failed: amount('failures', 'errors'), skipped };
  }),
};

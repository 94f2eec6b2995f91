import { amountsAfter, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^# \{ (total: \d+(?:, [a-z]+: \d+){0,6}) \}\n# time=.*$/gm;

/** The package `tap`, with every reporter; it counts assertions. */
export const nodeTap: Runner = {
  name: 'node-tap',
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsAfter(parts);
    return { ran: amount('pass', 'fail'), failed: amount('fail'), skipped: amount('skip', 'todo') };
  }),
};

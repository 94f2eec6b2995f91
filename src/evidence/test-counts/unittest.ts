import { amountsAfter, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^-{70}\nRan (\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/gm;

export const unittest: Runner = {
  name: 'unittest',
  findSummaries: summariesBy(CLOSES, ([, all, parts = '']) => {
    const amount = amountsAfter(parts);
    const skipped = amount('skipped', 'expected failures');
    return {
      ran: Math.max(0, Number(all) - skipped),
      failed: amount('failures', 'errors', 'unexpected successes'),
      skipped,
    };
  }),
};

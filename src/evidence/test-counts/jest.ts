import { amountsBefore, NO_TESTS, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^Test Suites: .* total\nTests: +(\d.*) total\nSnapshots: .*\nTime: .*$|^No tests found, exiting with code \d+$/gm;

export const jest: Runner = {
  name: 'jest',
  findSummaries: summariesBy(CLOSES, ([, tests]) => {
    if (tests === undefined) return NO_TESTS;
    const amount = amountsBefore(tests);
    return { ran: amount('passed', 'failed'), failed: amount('failed'), skipped: amount('skipped', 'todo', 'pending') };
  }),
};

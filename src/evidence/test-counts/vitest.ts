import { amountsBefore, NO_TESTS, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^ +Test Files +\S.*\n +Tests +(\S.*)$|^No test files found, exiting with code \d+$/gm;

/** Reporters default, verbose, dot, tree and basic of 1.x to 4.x. */
export const vitest: Runner = {
  name: 'vitest',
  begins: /^ (?:RUN|DEV) +v\d+\.\d+\.\S+ .*$/gm,
  findSummaries: summariesBy(CLOSES, ([, tests]) => {
    if (tests === undefined) return NO_TESTS;
    const amount = amountsBefore(tests);
    return {
      ran: amount('passed', 'failed'),
      failed: amount('failed'),
      // Tests that are expected to fail do run, but they show no success.
      skipped: amount('skipped', 'todo', 'expected fail'),
    };
  }),
};

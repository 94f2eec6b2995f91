import { amountsBefore, NO_TESTS, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

/** The names of tests that did not simply pass are listed below their number. */
const CLOSES =
  /^ {2}\d+ (?:failed|interrupted|flaky|skipped|did not run|passed \([\d.]+\w+\))(?:\n(?: {4}\S.*| {2}\d+ (?:failed|interrupted|flaky|skipped|did not run|passed \([\d.]+\w+\))))*$|^Error: No tests found$/gm;

/** The reporters list, line and dot. */
export const playwright: Runner = {
  name: 'playwright',
  begins: /^Running \d+ tests? using \d+ workers?.*$/gm,
  findSummaries: summariesBy(CLOSES, ([block]) => {
    if (block.startsWith('Error')) return NO_TESTS;
    const amount = amountsBefore(block.replaceAll(/^ {4}.*$/gm, ''));
    return {
      ran: amount('passed', 'failed', 'flaky'),
      failed: amount('failed', 'interrupted'),
      skipped: amount('skipped', 'did not run'),
    };
  }),
};

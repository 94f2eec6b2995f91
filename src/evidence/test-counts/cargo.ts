import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored; .*)$/gm;

/** Each test binary, and the tests of the documentation, is a run. */
export const cargo: Runner = {
  name: 'cargo',
  begins: /^running \d+ tests?$/gm,
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsBefore(parts);
    return { ran: amount('passed', 'failed'), failed: amount('failed'), skipped: amount('ignored') };
  }),
};

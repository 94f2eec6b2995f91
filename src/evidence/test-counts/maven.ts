import { amountsAfter, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

/** The total of a module. The line of a single class ends with its time. Old versions print a heading instead of a level. */
const CLOSES =
  /^(?:\[(?:INFO|WARNING|ERROR)\] |Results :\n\n)(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)(?:, Flakes: \d+)?$/gm;

export const maven: Runner = {
  name: 'maven',
  begins: /^(?:\[INFO\] )? ?T E S T S$/gm,
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsAfter(parts);
    const skipped = amount('skipped');
    return { ran: amount('tests run') - skipped, failed: amount('failures', 'errors'), skipped };
  }),
};

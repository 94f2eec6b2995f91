import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

/** Framed by `=`, or alone on its line with `-q`. */
const CLOSES =
  /^(?:=+ )?((?:no tests ran|no tests collected|\d+ [a-z]+(?: [a-z]+)?)(?:, \d+ [a-z]+(?: [a-z]+)?){0,12}) in [\d.]+s(?: \([\d:, a-z]+\))?(?: =+)?$/gm;

export const pytest: Runner = {
  name: 'pytest',
  begins: /^=+ test session starts =+$/gm,
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsBefore(parts);
    return {
      // An error is a test whose fixture or module broke: it was not run, or it is already among the passed ones.
      ran: amount('passed', 'failed', 'xpassed'),
      failed: amount('failed', 'error', 'errors'),
      // `pytest.xfail()` can be called from anywhere, and ends the test.
      skipped: amount('skipped', 'xfailed'),
    };
  }),
};

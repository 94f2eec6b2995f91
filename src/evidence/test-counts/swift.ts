import { summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^Test Suite '(?:All tests|Selected tests)' (?:passed|failed) at .*\n\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?.*$|^. Test run with (\d+) tests?(?: in \d+ suites?)? (?:passed after .*|failed after .* with (\d+) issues?)\.?$/gmu;

/** XCTest, then Swift Testing, which names no number of skipped tests. */
export const swift: Runner = {
  name: 'swift',
  begins: /^Test Suite '(?:All tests|Selected tests)' started at .*$|^. Test run started\.$/gmu,
  findSummaries: summariesBy(CLOSES, ([, executed, skipped = '0', failed, run = '0', issues = '0']) =>
    executed === undefined
      ? { ran: Number(run), failed: Number(issues), skipped: 0 }
      : { ran: Number(executed) - Number(skipped), failed: Number(failed), skipped: Number(skipped) },
  ),
};

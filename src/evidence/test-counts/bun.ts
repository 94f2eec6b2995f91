import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^((?: +\d+ (?:pass|skip|todo|filtered out|fail|errors?|snapshots?.*|expect\(\) calls)\n){1,8})Ran \d+ tests? across \d+ files?\. .*$|^error: regex .* matched 0 tests\..*$/gm;

export const bun: Runner = {
  name: 'bun',
  findSummaries: summariesBy(CLOSES, ([, block = '']) => {
    const amount = amountsBefore(block);
    return { ran: amount('pass', 'fail'), failed: amount('fail', 'error', 'errors'), skipped: amount('skip', 'todo') };
  }),
};

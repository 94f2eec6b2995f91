import { summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/gm;

/** Names a number only if a test failed; `--check-report` always has it. */
export const gradle: Runner = {
  name: 'gradle',
  begins: /^> Task :\S*[tT]est\S*(?: FAILED)?$/gm,
  findSummaries: summariesBy(CLOSES, ([, all, failed = '0', skipped = '0']) => ({
    ran: Number(all) - Number(skipped),
    failed: Number(failed),
    skipped: Number(skipped),
  })),
};

import { NO_TESTS, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^\d+% tests passed, (\d+) tests? failed out of (\d+)$(?:[^\0]{0,4096}?^The following tests did not run:\n((?:\t.*\n?){1,999}))?|^No tests were found!!!$/gm;

export const ctest: Runner = {
  name: 'ctest',
  begins: /^Test project .*$/gm,
  findSummaries: summariesBy(CLOSES, ([, failed, all, idle = '']) => {
    if (all === undefined) return NO_TESTS;
    // The total includes skipped tests but not disabled ones.
    const skipped = [...idle.matchAll(/\(Skipped\)$/gm)].length;
    const disabled = [...idle.matchAll(/\(Disabled\)$/gm)].length;
    return { ran: Math.max(0, Number(all) - skipped), failed: Number(failed), skipped: skipped + disabled };
  }),
};

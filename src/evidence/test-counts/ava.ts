import { amountsBefore, NO_TESTS, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES =
  /^ {2}─\n\n((?: {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?)(?:\n|$)){1,8})|^ {2}✘ Couldn’t find any (?:matching tests|files to test.*)$/gm;

/** Names the number of passed tests only if none failed. */
export const ava: Runner = {
  name: 'ava',
  findSummaries: summariesBy(CLOSES, ([, block]) => {
    if (block === undefined) return NO_TESTS;
    const amount = amountsBefore(block);
    const of = (result: string): number => amount(`test ${result}`, `tests ${result}`);
    return {
      ran: of('passed') + of('failed'),
      failed: of('failed'),
      skipped: of('skipped') + of('todo') + amount('known failure', 'known failures'),
    };
  }),
};

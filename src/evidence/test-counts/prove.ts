import type { Runner, Summary } from './runner.ts';

const CLOSES = /^Files=\d+, Tests=(\d+), .*\nResult: [A-Z]+$/gm;
const FAILED = /^.* \(Wstat: \d.* Tests: \d+ Failed: (\d+)\)$/gm;

/** Does not report the number of skipped tests; they are included in the total. */
export const prove: Runner = { name: 'prove', findSummaries };

function findSummaries(text: string): readonly Summary[] {
  let from = 0;
  return [...text.matchAll(CLOSES)].map((block) => {
    const programs = [...text.slice(from, block.index).matchAll(FAILED)];
    from = block.index;
    const failed = programs.reduce((sum, [, amount]) => sum + Number(amount), 0);
    return { at: block.index, counts: { ran: Number(block[1]), failed, skipped: 0 } };
  });
}

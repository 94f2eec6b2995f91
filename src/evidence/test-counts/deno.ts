import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^(?:ok|FAILED) (\| \d+ passed.* \| \d+ failed.*)\([\d.]+\S*\)$/gm;

export const deno: Runner = {
  name: 'deno',
  findSummaries: summariesBy(CLOSES, ([, block = '']) => {
    const amount = amountsBefore(block.replaceAll(/\([^()]*\)/g, ''));
    return { ran: amount('passed', 'failed'), failed: amount('failed'), skipped: amount('ignored') };
  }),
};

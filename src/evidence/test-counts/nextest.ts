import { amountsBefore, summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^ +Summary \[ *[\d.]+s\] (?:\d+\/)?\d+ tests? run: (.*)$/gm;

export const nextest: Runner = {
  name: 'nextest',
  begins: /^ +Nextest run ID \S+ .*$/gm,
  findSummaries: summariesBy(CLOSES, ([, parts = '']) => {
    const amount = amountsBefore(parts.replaceAll(/\([^()]*\)/g, ''));
    const failed = amount('failed', 'timed out', 'exec failed');
    return { ran: amount('passed') + failed, failed, skipped: amount('skipped') };
  }),
};

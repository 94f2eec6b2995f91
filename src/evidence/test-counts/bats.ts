import { summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?$/gm;

/** The pretty formatter; to a file or a pipe, bats prints TAP. */
export const bats: Runner = {
  name: 'bats',
  findSummaries: summariesBy(CLOSES, ([, all, failed, skipped = '0']) => ({
    ran: Math.max(0, Number(all) - Number(skipped)),
    failed: Number(failed),
    skipped: Number(skipped),
  })),
};

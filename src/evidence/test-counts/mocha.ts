import { summariesBy } from './runner.ts';
import type { Runner } from './runner.ts';

const CLOSES = /^ {2}(\d+) passing \(\d+(?:ms|s|m|h|d)\)(?:\n {2}(\d+) pending)?(?:\n {2}(\d+) failing)?$/gm;

export const mocha: Runner = {
  name: 'mocha',
  findSummaries: summariesBy(CLOSES, ([, passing, pending = '0', failing = '0']) => ({
    ran: Number(passing) + Number(failing),
    failed: Number(failing),
    skipped: Number(pending),
  })),
};

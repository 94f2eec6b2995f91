import type { Runner } from './runner.ts';

/** Each spec file is a run of mocha, and closes like one. */
export const cypress: Runner = {
  name: 'cypress',
  begins: /^ {2}Running: .*\(\d+ of \d+\)$/gm,
  findSummaries: () => [],
};

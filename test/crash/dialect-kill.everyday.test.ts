import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { killCases } from './dialect-kill-cases.ts';
import { EVERYDAY_DEATHS, killContract } from './dialect-kill.ts';

const cases = (await killCases()).filter(
  ({ way, dialect }) => way === 'its own interface' || dialect.name === 'ralph-loop',
);

it('kills every dialect', () => {
  expect(cases.map(({ dialect }) => dialect.name).toSorted()).toEqual(DIALECT_NAMES.toSorted());
});

// One death for each dialect, in turn; `dialect-kill.long.test.ts` has every death of every dialect.
describe.concurrent('a process killed in the middle of a stop', () => {
  for (const [turn, death] of EVERYDAY_DEATHS.entries())
    killContract(
      cases.filter((_case, at) => at % EVERYDAY_DEATHS.length === turn),
      [death],
    );
});

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

describe.concurrent('a process killed in the middle of a stop', () => {
  killContract(cases, EVERYDAY_DEATHS);
});

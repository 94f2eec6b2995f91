import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { killCases } from './dialect-kill-cases.ts';
import { ALL_DEATHS, killContract } from './dialect-kill.ts';

const cases = await killCases();

it('kills every dialect, by its own interface where it has one, and by the command line', () => {
  const by = (way: string): string[] =>
    cases.flatMap((each) => (each.way === way ? [each.dialect.name] : [])).toSorted();
  expect(by('the command line')).toEqual(DIALECT_NAMES.toSorted());
  expect(by('its own interface')).toEqual(DIALECT_NAMES.filter((name) => name !== 'ralph-loop').toSorted());
});

describe.concurrent('a process killed in the middle of a stop', () => {
  killContract(cases, ALL_DEATHS);
});

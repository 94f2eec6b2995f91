import { expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { DIALECT_CASES } from '../support/dialect-hooks.ts';
import { hookContract } from './dialect-hook-contract.ts';

it('tries every dialect there is', () => {
  expect(DIALECT_CASES.map(({ name }) => name).toSorted()).toEqual([...DIALECT_NAMES].toSorted());
});

hookContract(DIALECT_CASES);

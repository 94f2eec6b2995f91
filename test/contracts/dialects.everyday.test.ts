import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { allDialects } from '../support/all-dialects.ts';
import { dialectContract } from './dialect-contract.ts';
import { EVERYDAY } from './dialect-damage.ts';

const dialects = await allDialects();

it('sees the dialects it judges', () => {
  expect(dialects.map(({ dialect }) => dialect.name).toSorted()).toEqual(DIALECT_NAMES.toSorted());
});

for (const each of dialects) {
  describe(`the dialect ${each.dialect.name}`, () => {
    dialectContract(each, EVERYDAY);
  });
}

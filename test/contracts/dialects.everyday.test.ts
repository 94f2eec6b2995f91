import { describe, expect, it } from 'vitest';
import { allDialects } from '../support/all-dialects.ts';
import { dialectContract } from './dialect-contract.ts';
import { EVERYDAY } from './dialect-damage.ts';

const dialects = await allDialects();

it('sees the dialects it judges', () => {
  expect(dialects.map(({ dialect }) => dialect.name).toSorted()).toEqual([
    'athena',
    'loop-mechanics',
    'ralph-loop',
    'ralph-wiggum',
    'stravinsky',
    'supercode',
  ]);
});

for (const each of dialects) {
  describe(`the dialect ${each.dialect.name}`, () => {
    dialectContract(each, EVERYDAY);
  });
}

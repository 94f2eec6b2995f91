import { describe, expect, it } from 'vitest';
import { matchWithin } from './match-within.ts';

describe('match within', () => {
  it('answers whether the text matches', () => {
    expect(matchWithin(/^DONE$/m, 'a\nDONE\nb', 1000)).toBe(true);
    expect(matchWithin(/^DONE$/m, 'NOT DONE', 1000)).toBe(false);
  });

  it('gives up on a pattern that needs exponential time', () => {
    expect(matchWithin(/(a+)+$/, `${'a'.repeat(40)}!`, 50)).toBe('timed-out');
  });
});

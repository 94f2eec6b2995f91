import { describe, expect, it } from 'vitest';
import { wrapWords } from './wrap-words.ts';

describe('wrapWords', () => {
  it('breaks at spaces, and begins the later rows below the text', () => {
    expect(wrapWords('  → continue with iteration 2', 20)).toEqual(['  → continue with', '    iteration 2']);
    expect(wrapWords('loop x: make the tests pass', 20)).toEqual(['loop x: make the', '  tests pass']);
    expect(wrapWords('one two three', 8, 0)).toEqual(['one two', 'three']);
  });

  it('leaves a line that fits, and a word that fits nowhere, as they are', () => {
    expect(wrapWords('  fits   as it is', 20)).toEqual(['  fits   as it is']);
    expect(wrapWords('a /a/path/that/is/longer/than/the/row b', 12)).toEqual([
      'a',
      '  /a/path/that/is/longer/than/the/row',
      '  b',
    ]);
  });

  it('counts columns, not characters', () => {
    expect(wrapWords('漢漢 漢漢', 8, 0)).toEqual(['漢漢', '漢漢']);
  });
});

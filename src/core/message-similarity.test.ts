import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { similarity, sketchOf } from './message-similarity.ts';

const LONG = Array.from({ length: 200 }, (_, at) => `word${at * 7919}`).join(' ');

describe('a sketch', () => {
  it('is the same in every version: journals keep it', () => {
    expect(sketchOf('I looked at the tests. '.repeat(40))).toEqual([
      2_652_102_067, 2_695_505_174, 3_222_010_727, 3_368_983_245, 4_043_083_767,
    ]);
    expect(sketchOf('')).toEqual([]);
    expect(sketchOf(' \n.,!')).toEqual([]);
    expect(sketchOf(LONG)).toHaveLength(32);
  });

  it('is made of words alone, in any case of their letters', () => {
    expect(sketchOf('Two tests fail, still: A_1 and b2!')).toEqual(sketchOf('two TESTS fail still\n\ta_1 (AND) B2'));
    expect(sketchOf('one')).not.toEqual(sketchOf('two'));
    expect(sketchOf('one two')).not.toEqual(sketchOf('two one'));
    expect(sketchOf('one two')).toHaveLength(1);
  });

  it('tells plain letters as it tells those of all the world', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9_]{1,8}$/u);
    const between = fc.constantFrom(' ', ', ', '\n', '.\0', '-', ' — ');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, between)), (pieces) => {
        const text = pieces.flat().join('');
        // A non-ASCII sign that is not a letter switches the code path but does not change the words.
        expect(sketchOf(`${text}…`)).toEqual(sketchOf(text));
      }),
    );
  });

  it('is near that of a text that differs in a few words, and far from another text', () => {
    expect(similarity(sketchOf(LONG), sketchOf(`${LONG} and one more`))).toBeGreaterThan(0.8);
    expect(similarity(sketchOf(LONG), sketchOf(LONG.toUpperCase()))).toBe(1);
    expect(similarity(sketchOf(LONG), sketchOf('something else altogether'))).toBe(0);
    expect(similarity([], [])).toBe(1);
    expect(similarity([], sketchOf('one'))).toBe(0);
  });
});

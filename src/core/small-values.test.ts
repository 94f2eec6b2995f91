import { describe, expect, it } from 'vitest';
import { isRecord } from './is-record.ts';
import { parseJson, withoutByteOrderMark } from './parse-json.ts';
import { isPlainId, shellWord } from './shell-word.ts';

describe('a word for a shell', () => {
  it('is quoted if it needs it, or if that is wanted', () => {
    expect(shellWord('src/a-b.ts')).toBe('src/a-b.ts');
    expect(shellWord('src/a-b.ts', 'always')).toBe("'src/a-b.ts'");
    expect(shellWord('two words')).toBe("'two words'");
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
    expect(shellWord('')).toBe("''");
  });

  it('is an id only if it needs no quotes and is no path', () => {
    expect(['a-1.b_c', '', 'a b', 'a/b'].map(isPlainId)).toEqual([true, false, false, false]);
  });
});

it('an object with keys is neither null nor a list nor a plain value', () => {
  expect([{}, { a: 1 }, null, [], 'text', 3, undefined].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

it('a byte order mark is taken off, and only at the beginning', () => {
  expect(parseJson(withoutByteOrderMark('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  expect(withoutByteOrderMark('a\uFEFF')).toBe('a\uFEFF');
  expect(parseJson('{"a":')).toBeUndefined();
});

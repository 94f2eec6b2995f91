import { describe, expect, it } from 'vitest';
import { foldLine } from './fold-line.ts';

describe('a folded line', () => {
  it('stays as it is when it fits', () => {
    expect(foldLine('  a  b', 6)).toEqual(['  a  b']);
  });

  it('breaks between words and keeps its indentation', () => {
    expect(foldLine('  - one two three four', 13)).toEqual(['  - one two', '    three', '    four']);
  });

  it('keeps the mark of a quoted line', () => {
    expect(foldLine('    | one two three', 14)).toEqual(['    | one two', '    |   three']);
  });

  it('never breaks inside a word', () => {
    expect(foldLine('see /a/very/long/path now', 10)).toEqual(['see', '/a/very/long/path', 'now']);
  });

  it('aligns the next row when it breaks where several spaces are', () => {
    expect(foldLine('one two   three', 8)).toEqual(['one two', 'three']);
    expect(foldLine('one two   three', 9)).toEqual(['one two', 'three']);
  });

  it('counts columns, not characters', () => {
    expect(foldLine('日本 日本 日本', 9)).toEqual(['日本 日本', '日本']);
  });
});

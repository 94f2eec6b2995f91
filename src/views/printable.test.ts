import { describe, expect, it } from 'vitest';
import { lastLines, oneLine, printable } from './printable.ts';

describe('printable', () => {
  it.each([
    ['colours', '\u001B[31mred\u001B[0m', 'red'],
    ['a cursor that moves', 'a\u001B[2J\u001B[1;1Hb', 'ab'],
    ['a window title', '\u001B]0;owned\u0007text', 'text'],
    ['a write to the clipboard', '\u001B]52;c;ZXZpbA==\u001B\\text', 'text'],
    ['a link', '\u001B]8;;https://example.org\u0007here\u001B]8;;\u0007', 'here'],
    ['a device string', '\u001BPq#0;2;0;0;0\u001B\\text', 'text'],
    ['one-byte forms', '\u009B31mred\u009D0;title\u0007!', 'red!'],
    ['a sequence that never ends', 'text\u001B]0;title', 'text'],
    ['a reset', '\u001Bctext', 'text'],
    ['a charset switch', '\u001B(0text', 'text'],
    ['bells and backspaces', 'a\u0007b\u0008c\u0000', 'abc'],
    ['text turned around', 'abc\u202Edef\u2066', 'abcdef'],
    ['a carriage return', '10%\r20%\r\ndone', '10%\n20%\ndone'],
  ])('takes out %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves text of every language as it is', () => {
    const text = 'größer\t漢字 👩‍🚀\nשלום';
    expect(printable(text)).toBe(text);
  });

  it('folds to one bounded line and never cuts a character in two', () => {
    expect(oneLine('  a\n\tb  ', 10)).toBe('a b');
    expect(oneLine('😀😀😀', 4)).toBe('😀…');
    expect(oneLine('x'.repeat(1_000_000), 20)).toHaveLength(20);
  });

  it('keeps the last lines that say something', () => {
    expect(lastLines('a\n\nb\nc  \n\n', 2, 80)).toEqual(['b', 'c']);
  });
});

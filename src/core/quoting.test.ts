import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseLines } from './prose-lines.ts';
import { bytesOf, codeSpan, fenced, fencedTail, headWithin, listWithin, oneLine, tailWithin } from './quoting.ts';

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom('`', '```', '~~~~', '\n', '\r', '> ', '    ', '- ', '\uD83D', '😀', 'é'), fc.string()),
  )
  .map((parts) => parts.join(''));

describe('fenced', () => {
  it('keeps the text verbatim and lets none of it out', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = proseLines(`before\n${fenced(text)}\nafter`);
        expect(fenced(text)).toContain(`\n${text}\n`);
        expect(lines.filter((line) => line !== null)).toEqual(['before', 'after']);
      }),
    );
  });

  it('is one longer than the longest run, of the kind with the shorter runs', () => {
    expect(fenced('a')).toBe('```\na\n```');
    expect(fenced('````')).toBe('~~~\n````\n~~~');
    expect(fenced('```` ~~~~~')).toBe('`````\n```` ~~~~~\n`````');
  });
});

describe('bounded text', () => {
  it('stays within its bytes, whatever it contains', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 50, max: 300 }), (text, max) => {
        expect(bytesOf(headWithin(text.repeat(9), max))).toBeLessThanOrEqual(max);
        expect(bytesOf(tailWithin(text.repeat(9), max))).toBeLessThanOrEqual(max);
        expect(bytesOf(fencedTail(text.repeat(9), max))).toBeLessThanOrEqual(max);
        expect(bytesOf(codeSpan(text.repeat(9), max))).toBeLessThanOrEqual(max + 10);
        expect(bytesOf(listWithin([oneLine(text, max), 'b', 'c'], max))).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('counts bytes as UTF-8 does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(bytesOf(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it('is cut between characters, with a note of what is missing', () => {
    expect(headWithin('😀'.repeat(20), 60)).toBe('😀😀😀😀😀 [60 bytes left out]');
    expect(tailWithin('😀'.repeat(20), 60)).toBe('[60 bytes left out]\n😀😀😀😀😀');
  });

  it('is left as it is when it fits', () => {
    expect([headWithin('abc', 3), tailWithin('abc', 3), listWithin(['a', 'b'], 60)]).toEqual([
      'abc',
      'abc',
      '- a\n- b',
    ]);
  });

  it('says how many items of a list did not fit', () => {
    expect(listWithin(['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)], 60)).toBe('- aaaaaaaaaa\n- and 2 more');
  });
});

describe('text on one line', () => {
  it.each([
    ['npm test', '`npm test`'],
    ['a\r\n  b\tc\u0000', '`a ⏎ b c`'],
    ['echo `date`', '`` echo `date` ``'],
    ['````', '"````"'],
  ])('%j becomes %s', (text, shown) => {
    expect(codeSpan(text, 100)).toBe(shown);
  });
});

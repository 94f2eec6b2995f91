import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBlock, withoutBlock } from './block-text.ts';

const BLOCK = '[a."x:0"]\nhash = "1"\n\n[a."y:0"]\nhash = "2"\n';

describe('withBlock', () => {
  it('puts the block at the end, and the same text comes back', () => {
    const lines = fc.array(fc.constantFrom('model = "x"', '[b]', '', '# note', 'c = 1'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (given, eol) => {
        const text = given.map((line) => `${line}${eol}`).join('');
        const full = withBlock(text, BLOCK).text;
        expect(full.startsWith(text)).toBe(true);
        expect(full).not.toBe(text);
        expect(withoutBlock(full)).toBe(text);
        expect(withBlock(full, BLOCK).text).toBe(full);
      }),
    );
  });

  it('begins on a line of its own where the last line has no end', () => {
    expect(withBlock('a = 1', BLOCK).text).toMatch(/^a = 1\n\n# >>> tireless/u);
  });

  it('leaves out a table that the file has, because twice the same table breaks the file', () => {
    const { text, leftOut } = withBlock('[a."x:0"]\nhash = "0"\n', BLOCK);
    expect(leftOut).toEqual(['[a."x:0"]']);
    expect(text.match(/\[a\."x:0"\]/gu)).toHaveLength(1);
    expect(text).toContain('[a."y:0"]');
    const both = '[a."x:0"]\n[a."y:0"]\n';
    expect(withBlock(both, BLOCK).text).toBe(both);
  });

  it('touches nothing without a block, or with half of one', () => {
    for (const text of ['', 'a = 1\n', '# <<< tireless\n', withBlock('', BLOCK).text.replace('# <<< tireless\n', '')])
      expect(withoutBlock(text)).toBe(text);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBlock, withoutBlock } from './block-text.ts';

const BLOCK = '[a."x:0"]\nhash = "1"\n\n[a."y:0"]\nhash = "2"\n';

describe('withBlock', () => {
  it('puts the tables at the end, and the same text comes back', () => {
    const lines = fc.array(fc.constantFrom('model = "x"', '[b]', '', '# note', 'c = 1'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (given, eol) => {
        const text = given.map((line) => `${line}${eol}`).join('');
        const full = withBlock(text, BLOCK);
        expect(full.startsWith(text)).toBe(true);
        expect(full).not.toBe(text);
        expect(withoutBlock(full)).toBe(text);
        expect(withBlock(full, BLOCK)).toBe(full);
      }),
    );
  });

  it('begins on a line of its own where the last line has no end', () => {
    expect(withBlock('a = 1', BLOCK)).toMatch(/^a = 1\n\n# \[tireless\]/u);
  });

  it('leaves out a table that the file has, because twice the same table breaks the file', () => {
    const text = withBlock('# mine\n[a."x:0"]\nhash = "1"\n', BLOCK);
    expect(text.match(/\[a\."x:0"\]/gu)).toHaveLength(1);
    expect(text).toMatch(/^# mine\n\[a\."x:0"\]\nhash = "1"\n\n# \[tireless\][^]*\[a\."y:0"\]/u);
    const both = '[a."x:0"]\nhash = "1"\n[a."y:0"]\r\nhash = "2"\r\n';
    expect(withBlock(both, BLOCK)).toBe(both);
  });

  it('takes the place of a table that says something else', () => {
    const text = withBlock('b = 1\n\n[a."x:0"]\nhash = "0"\n\n# of c\n[c]\nd = 1\n', BLOCK);
    expect(text.match(/\[a\."x:0"\]/gu)).toHaveLength(1);
    expect(text).not.toContain('hash = "0"');
    expect(text).toMatch(/^b = 1\n\n\n# of c\n\[c\]\nd = 1\n\n# \[tireless\]/u);
  });

  it('knows a table whose name is quoted in another way', () => {
    const text = withBlock('[a.\'x:0\'] # mine\nhash = "0"\n[c]\n', BLOCK);
    expect(text).toMatch(/^\[c\]\n\n# \[tireless\][^]*\n\[a\."x:0"\]\n/u);
    expect(text).not.toContain("[a.'x:0']");
  });

  it('touches nothing without a block, or with half of one', () => {
    const [mark = ''] = withBlock('', BLOCK).split('\n');
    for (const text of ['', 'a = 1\n', `${mark}\n`, `${mark}\na = 1\n`]) expect(withoutBlock(text)).toBe(text);
  });

  it.each([
    '# Written by "tireless install", removed by "tireless uninstall".',
    '# [tireless] As a later version says it.',
  ])('takes out the tables of another version: %s', (comment) => {
    const full = withBlock('a = 1\n', BLOCK).replaceAll(/^#.*$/gmu, () => comment);
    expect(withoutBlock(full)).toBe('a = 1\n');
  });

  it('takes out only its own when somebody else wrote in between', () => {
    const full = withBlock('a = 1\n', BLOCK);
    const theirs = '[mcp.foo]\ncommand = "true"\n';
    expect(withoutBlock(`${full}\n${theirs}`)).toBe(`a = 1\n\n${theirs}`);
    expect(withoutBlock(full.replace(/(?<=hash = "1"\n)/u, `\n${theirs}`))).toBe(`a = 1\n\n${theirs}`);
  });
});

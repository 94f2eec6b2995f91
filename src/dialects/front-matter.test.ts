import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frontMatterFault, readFrontMatter, setFields } from './front-matter.ts';

const page = (yaml: string, body = 'body\n'): string => `---\n${yaml}---\n${body}`;

describe('front matter', () => {
  it('changes a value where it stands, and nothing around it', () => {
    const cases = [
      ['n: 5\n', 'n: 7\n'],
      ['n:    5   # why\r\nm: 1\r\n', 'n:    7   # why\r\nm: 1\r\n'],
      ['"n": \'5\'\n', '"n": 7\n'],
      ['{n: 5, m: 6}\n', '{n: 7, m: 6}\n'],
      ['? n\n: 5\n', '? n\n: 7\n'],
      ['n: !!int 5\n', 'n: !!int 7\n'],
    ] as const;
    for (const [before, after] of cases) expect(setFields(page(before), { n: 7 })).toBe(page(after));
  });

  it('gives an empty value room, and keeps the line after a block', () => {
    const cases = [
      ['n:\nm: 1\n', 'n: 7\nm: 1\n'],
      ['n: # why\nm: 1\n', 'n: 7 # why\nm: 1\n'],
      ['n: |\n  5\nm: 1\n', 'n: 7\nm: 1\n'],
    ] as const;
    for (const [before, after] of cases) expect(setFields(page(before), { n: 7 })).toBe(page(after));
  });

  it('adds a missing value at the end, with the line ends of the file', () => {
    expect(setFields('---\r\nm: 1\r\n---\r\n', { n: 'a "b"' })).toBe('---\r\nm: 1\r\nn: "a \\"b\\""\r\n---\r\n');
    expect(setFields('---\n---\n', { n: true })).toBe('---\nn: true\n---\n');
  });

  it('reads values, how they are written, and the body byte for byte', () => {
    expect(readFrontMatter('\uFEFF---\nv: 1.0\ns: "x"\n---\n\n---\nv: 2\n')).toEqual({
      fields: { v: 1, s: 'x' },
      sources: { v: '1.0', s: 'x' },
      body: '\n---\nv: 2\n',
    });
  });

  it('is not found without delimiters, with broken YAML or with anything but fields', () => {
    for (const odd of [
      '',
      'v: 1\n',
      '---\nv: 1\n',
      ' ---\nv: 1\n---\n',
      page('- a\n'),
      page('v: [\n'),
      page('a: &x 1\nb: *x\n'),
    ])
      expect(readFrontMatter(odd)).toBeUndefined();
  });

  it('never throws, and never touches the body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (yaml, body) => {
        const text = page(`${yaml}\n`, body);
        const read = readFrontMatter(text);
        const after = readFrontMatter(setFields(text, { n: 7 }));
        if (read !== undefined && after !== undefined) return after.body === read.body;
        return true;
      }),
    );
  });
});

describe('what is wrong with the front matter of a file', () => {
  it.each([
    ['completion_promise: Status: hello', 'line 3: a value that contains ": " needs quotes around it'],
    ['max_iterations: 10\n\tcompletion_promise: "x"', 'line 4: Tabs are not allowed as indentation'],
    ['max_iterations: 10\n name: x', 'line 4: its name must begin the line, without spaces before it'],
    ['completion_promise: "All done', 'line 3: a quotation mark is missing at the end of the value'],
  ])('is said in words a person can act on: %s', (line, words) => {
    expect(frontMatterFault(`---\nactive: true\n${line}\n---\ngoal\n`)).toBe(words);
  });
});

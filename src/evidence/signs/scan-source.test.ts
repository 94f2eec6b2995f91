import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './find-signs.ts';
import { scanSource, TEXT } from './scan-source.ts';

const codeOf = (language: string, text: string): string[] => {
  const found = LANGUAGES.find(({ name }) => name === language);
  if (found === undefined) throw new Error(`no language ${language}`);
  return scanSource(text, found.syntax).map(({ bare }) => bare.replaceAll(TEXT, '_'));
};

describe('a scanned source', () => {
  it('takes what stands between ${ and } in a template for code', () => {
    expect(codeOf('javascript', "const a = `in ${exit(`b ${c}`, '}')} out`;\nd();")).toEqual([
      "const a = `___${exit(`__${c}`, '_')}____`;",
      'd();',
    ]);
  });

  it('knows the characters of Rust from lifetimes, the quote among them', () => {
    expect(codeOf('rust', `let q = '\\''; let c = '"'; fn f<'a>(s: &'a str) { g("x") }`)).toEqual([
      `let q = '__'; let c = '_'; fn f<'a>(s: &'a str) { g("_") }`,
    ]);
  });
});

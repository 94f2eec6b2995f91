import { describe, expect, it } from 'vitest';
import { findSigns, LANGUAGES } from './find-signs.ts';
import type { Example } from './language.ts';

const CASES = LANGUAGES.flatMap((language) =>
  language.rules.flatMap((rule, index) => {
    const fileOf = (example: Example): { path: string; text: string } =>
      typeof example === 'string' ? { path: `src/shop.${language.extensions[0]}`, text: example } : example;
    const about = { language: language.name, index, code: rule.code };
    return [
      ...rule.cheats.map((example) => ({ ...about, kind: 'cheat', ...fileOf(example) })),
      ...rule.honest.map((example) => ({ ...about, kind: 'honest', ...fileOf(example) })),
    ];
  }),
);

describe('rules of signs', () => {
  it('have a cheat and an honest example each', () => {
    const rules = LANGUAGES.flatMap(({ rules: all }) => all);
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter(({ cheats, honest }) => cheats.length === 0 || honest.length === 0)).toEqual([]);
  });

  // A rule that is missing takes its examples with it, so only a list notices.
  it('are these', () => {
    const codes = LANGUAGES.map(({ name, rules }) => [
      name,
      rules
        .map(({ code }) => code)
        .toSorted()
        .join(' '),
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      javascript:
        'counts-calls equals-all exits-early imports-tests leaves-project looks-for-tests looks-for-tests patches-builtins patches-tests patches-tests prints-summary reads-tests',
      python:
        'counts-calls equals-all exits-early imports-tests leaves-project looks-for-tests looks-for-tests patches-builtins patches-builtins patches-tests patches-tests prints-summary reads-tests',
      c: 'equals-all equals-all exits-early leaves-project looks-for-tests looks-for-tests looks-for-tests looks-for-tests patches-builtins patches-builtins patches-builtins patches-builtins patches-tests prints-summary reads-tests reads-tests',
      go: 'equals-all exits-early looks-for-tests looks-for-tests looks-for-tests looks-for-tests looks-for-tests looks-for-tests patches-builtins prints-summary reads-tests',
      rust: 'equals-all leaves-project looks-for-tests looks-for-tests looks-for-tests looks-for-tests looks-for-tests looks-for-tests patches-builtins patches-tests prints-summary reads-tests',
      jvm: 'equals-all exits-early imports-tests looks-for-tests looks-for-tests looks-for-tests prints-summary',
      ruby: 'equals-all imports-tests leaves-project looks-for-tests looks-for-tests looks-for-tests patches-tests prints-summary',
      php: 'imports-tests leaves-project looks-for-tests looks-for-tests looks-for-tests patches-tests prints-summary',
      shell: 'exits-early leaves-project looks-for-tests patches-builtins patches-tests',
    });
  });

  it.each(CASES.filter(({ kind }) => kind === 'cheat'))('$language $code: sees $text', ({ path, text, code }) => {
    const signs = findSigns([{ path, isTest: false, before: undefined, after: text }]);
    expect(signs.map((sign) => sign.code)).toContain(code);
  });

  it.each(CASES.filter(({ kind }) => kind === 'honest'))('$language $code: leaves $text', ({ path, text }) => {
    expect(findSigns([{ path, isTest: false, before: undefined, after: text }])).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFlags } from './flags.ts';
import { START_FLAGS } from './start-args.ts';
import { optionIn, splitTypedText, unquotedValueIn } from './typed-args.ts';

const NASTY = 'say "hi" and \'bye\', run `id` and $(rm -rf /), C:\\new\\"x\n\tnext line 🦊 ${HOME} %PATH% --verbose';

/** What the command makes of it: the words of the goal, and the flags. */
function parsed(text: string) {
  const { words, values } = parseFlags(START_FLAGS, splitTypedText(text));
  return { words, values };
}

describe('what was typed after a slash command', () => {
  it.each([
    ['nothing', '', []],
    ['white space', ' \n\t ', []],
    ['plain words', 'make the tests pass', ['--', 'make the tests pass']],
    ['a quoted goal', '"make the tests pass"', ['--', 'make the tests pass']],
    ['curly quotes', '“make it” --json', ['--json', '--', 'make it']],
    ['low quotes', '„make it“', ['--', 'make it']],
    ['single quotes, with an apostrophe inside', "'don't stop'", ['--', "don't stop"]],
    ['quotes inside quotes', '"say "hi" to me"', ['--', 'say "hi" to me']],
    ['a quote that stays open', '"make it', ['--', '"make it']],
    ['a quoted word at the beginning of a sentence', '"x" is broken', ['--', '"x" is broken']],
    ['line breaks', 'first\n\nsecond\n', ['--', 'first\n\nsecond']],
    ['a goal that looks like an option', '"--json"', ['--', '--json']],
    ['everything after two dashes', '-- --json "x" ', ['--', '--json "x" ']],
    ['options before', '--max-iterations 3 make it', ['--max-iterations=3', '--', 'make it']],
    ['options after', 'make it --max-iterations=3', ['--max-iterations=3', '--', 'make it']],
    ['options around', '--json make it --max-iterations 3', ['--json', '--max-iterations=3', '--', 'make it']],
    ['a value in quotes', 'make it --check "npm test"', ['--check=npm test', '--', 'make it']],
    [
      'an escaped quote in a value',
      String.raw`make it --check "grep \"x\" f"`,
      ['--check=grep "x" f', '--', 'make it'],
    ],
    ['the spelling of other tools', 'go --completion-promise DONE', ['--completion-promise=DONE', '--', 'go']],
    ['a word like an option in the prose', 'fix the --verbose output', ['--', 'fix the --verbose output']],
    ['a common option in the prose', 'give deploy a --dry-run flag', ['--', 'give deploy a --dry-run flag']],
    ['an option on its own line', 'make it\n--max-iterations 3', ['--max-iterations=3', '--', 'make it']],
    ['an option without its value', 'make it --max-iterations', ['--max-iterations', '--', 'make it']],
    ['text on both sides of an option', 'make it --json now', ['--json', '--', 'make it', 'now']],
  ])('is taken apart: %s', (_what, text, args) => {
    expect(splitTypedText(text)).toEqual(args);
  });

  it('keeps an escaped quote as it is, and does not end there', () => {
    expect(splitTypedText(String.raw`"a \" --json b"`)).toEqual(['--', String.raw`a \" --json b`]);
    expect(splitTypedText(String.raw`"ends in a backslash \\" --json`)).toEqual([
      '--json',
      '--',
      String.raw`ends in a backslash \\`,
    ]);
  });

  it.each([
    ['make it --max-iteration 3', '--max-iterations'],
    ['--verbose make it', '--verbose'],
    ['--chekc "npm test" make it', '--check'],
    ['make it --agent-command x', '--agent-command'],
    ['"make it" --verbose', '--verbose'],
  ])('refuses the slip in: %s', (text, named) => {
    expect(() => parsed(text)).toThrow(named);
  });

  it('brings a nasty goal through, quoted or not', () => {
    const quotes = [
      ['“', '”'],
      ["'", "'"],
    ] as const;
    for (const [open, close] of quotes) {
      const { words, values } = parsed(`--max-iterations 7 ${open}${NASTY}${close} --check "npm test"`);
      expect({ words, max: values['max-iterations'], check: values.check }).toEqual({
        words: [NASTY],
        max: 7,
        check: ['npm test'],
      });
    }
    expect(parsed(NASTY).words).toEqual([NASTY]);
    expect(parsed(`-- ${NASTY}`).words).toEqual([NASTY]);
  });

  it('never throws, whatever was typed', () => {
    const pieces = fc.constantFrom(
      '"',
      "'",
      '“',
      '”',
      '\\',
      '--',
      '--json',
      '--check',
      '=',
      ' ',
      '\n',
      'a',
      '🦊',
      '$(x)',
    );
    const odd = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 20 });
    fc.assert(
      fc.property(odd, (all) => {
        expect(splitTypedText(all.join('')).every((arg) => typeof arg === 'string')).toBe(true);
      }),
    );
  });

  it('gives back a goal without quotes and options byte for byte, but for the white space around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const goal = text.replaceAll(/["'“„‘«-]/gu, '').trim();
        expect(splitTypedText(` ${goal}\n`)).toEqual(goal === '' ? [] : ['--', goal]);
      }),
    );
  });

  it('gives back a quoted goal byte for byte, with options on both sides', () => {
    const quotes = fc.constantFrom(['"', '"'], ["'", "'"], ['“', '”'], ['‘', '’'], ['«', '»']);
    fc.assert(
      fc.property(quotes, fc.string({ unit: 'binary', maxLength: 200 }), ([open = '', close = ''], text) => {
        // The goal's own closing quote, and a backslash before the closing one, are the cases for which a user has to choose another quote.
        const goal = text.replaceAll(close, '').replace(/\\+$/u, '');
        expect(splitTypedText(`--json ${open}${goal}${close} --max-iterations 3`)).toEqual([
          '--json',
          '--max-iterations=3',
          '--',
          goal,
        ]);
      }),
    );
  });
});

describe('an option in the middle of a goal', () => {
  it.each([
    ['"make it --check "npm test"', '--check'],
    ['make it\n--claim DONE', '--claim'],
    ['--json', '--json'],
    ['fix the --verbose output', undefined],
    ['a--check b', undefined],
    ['fix ---check', undefined],
    ['make it', undefined],
  ])('is seen: %j', (goal, option) => {
    expect(optionIn(goal)).toBe(option);
  });
});

describe('a value of several words without quotes', () => {
  it.each([
    ['make it --check npm test', { flag: '--check', given: 'npm', rest: 'test' }],
    ['"make it" --check npm run lint --json', { flag: '--check', given: 'npm', rest: 'run lint' }],
    ['make it --check "npm test" now', undefined],
    ['make it --check=npm now', undefined],
    ['make it --completion-promise ALL DONE', { flag: '--completion-promise', given: 'ALL', rest: 'DONE' }],
    ['make it --cwd x now', undefined],
    ['--check npm make it', undefined],
    ['make it --check npm -- now', undefined],
    ['make it --check npm', undefined],
  ])('%j', (text, found) => {
    expect(unquotedValueIn(text)).toEqual(found);
  });
});

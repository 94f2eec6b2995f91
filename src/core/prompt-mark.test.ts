import { describe, expect, it } from 'vitest';
import { indexOfPrompt, promptMark, textAfterPrompt } from './prompt-mark.ts';

const PROMPT = 'Fix it.  \n\nThen say so.\n';
const mark = promptMark(PROMPT);

it('keeps no words of a prompt but the beginning of its first line', () => {
  expect(promptMark(`${'a'.repeat(500)}\nsecret`)).toEqual({
    chars: 507,
    sum: expect.stringMatching(/^[0-9a-f]{16}$/u),
    line: 'a'.repeat(100),
  });
  expect(mark.line).toBe('Fix it.');
});

describe('a copy of the prompt in a text', () => {
  it.each([
    ['at the beginning', 'Fix it.\n\nThen say so. And more.', 0],
    ['at the end', 'You said: Fix it.\n\nThen say so.', 10],
    ['twice: the first counts', 'Fix it.\n\nThen say so.Fix it.\n\nThen say so.', 0],
    ['with another letter', 'Fix it.\n\nThen say no.', -1],
    ['cut short', 'Fix it.\n\nThen say so', -1],
    ['in an empty text', '', -1],
  ])('%s', (_, text, expected) => {
    expect(indexOfPrompt(text, mark)).toBe(expected);
  });

  it('is found wherever it stands, and nowhere else', () => {
    const letters = 'abcab cabca\u{1F600}b';
    for (let seed = 1; seed < 500; seed++) {
      const text = Array.from({ length: 40 }, (_, at) => letters[(seed * (at + 3) * (at ^ seed)) % letters.length]);
      const whole = text.join('').trim();
      const part = whole.slice(seed % 30, (seed % 30) + 1 + (seed % 9)).trim();
      if (part === '') continue;
      expect(indexOfPrompt(whole, promptMark(part))).toBe(whole.indexOf(part));
    }
  });

  it('is nowhere when there was no prompt', () => {
    expect(indexOfPrompt('any text', promptMark(' \n'))).toBe(-1);
    expect(textAfterPrompt('any text', promptMark(''))).toBeUndefined();
  });
});

describe('a text that begins with the prompt', () => {
  it.each([
    ['is the prompt', PROMPT, ''],
    ['is the prompt with other line ends', ' Fix it.\r\n\r\nThen say so. ', ''],
    ['has what was typed after it', `${PROMPT}\nAnd hurry.`, 'And hurry.'],
    ['is another text', 'And hurry.', undefined],
    ['has the prompt later', `Look: ${PROMPT}`, undefined],
  ])('%s', (_, text, expected) => {
    expect(textAfterPrompt(text, mark)).toBe(expected);
  });
});

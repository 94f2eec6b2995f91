import { describe, expect, it } from 'vitest';
import { didYouMean } from './nearest-word.ts';

describe('didYouMean', () => {
  it.each([
    ['claude', ' Did you mean claude-code?'],
    ['CODEX', ' Did you mean codex?'],
    ['cdoex', ' Did you mean codex?'],
    ['c', ''],
    ['emacs', ''],
  ])('answers "%s" with "%s"', (given, answer) => {
    expect(didYouMean(given, ['claude-code', 'codex'])).toBe(answer);
  });
});

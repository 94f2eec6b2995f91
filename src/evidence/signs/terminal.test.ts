import { describe, expect, it } from 'vitest';
import { showsTerminal } from './terminal.ts';

describe('a check that fails because of how something looks on a terminal', () => {
  it.each([
    "AssertionError: '\\x1B[1mTotal\\x1B[22m' == 'Total'",
    "E   AssertionError: assert '\\x1b[1m1\\x1b[0m' == '1'",
    'left: "\\u{1b}[1m1"',
    'TypeError: process.stdout.clearLine is not a function',
    '+ \u001b[1mTotal\u001b[22m',
  ])('shows it: %j', (output) => {
    expect(showsTerminal(output, false)).toBe(true);
  });

  it('is not known from colors of the runner itself', () => {
    expect(showsTerminal('\u001b[31mexpected 1 to be 2\u001b[39m', true)).toBe(false);
    expect(showsTerminal("\u001b[31m'\\x1b[1m1'\u001b[39m", true)).toBe(true);
    expect(showsTerminal('expected 1 to be 2', false)).toBe(false);
  });
});

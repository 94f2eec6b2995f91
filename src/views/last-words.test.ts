import { describe, expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

describe('the last words of an agent', () => {
  it('are one line, without the claim', () => {
    expect(lastWords('I fixed  it.\n\nAll tests pass.\n<promise>DONE</promise>\n', 80)).toBe(
      'I fixed it. All tests pass.',
    );
  });

  it('are cut at the front, between words', () => {
    expect(lastWords('one two three four', 12)).toBe('…three four');
    expect(lastWords('I looked. Now it is done, as you see.', 34)).toBe('…Now it is done, as you see.');
    expect(lastWords('x'.repeat(50), 10)).toBe(`…${'x'.repeat(9)}`);
  });

  it('are nothing where nothing was said', () => {
    expect(lastWords('\n\u001B[31m\n', 80)).toBe('');
  });
});

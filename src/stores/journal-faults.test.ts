import { expect, it } from 'vitest';
import { brokenChain } from './journal-faults.ts';

it.each([
  [0, 'Good up to revision 3 (t). '],
  [1, 'Good up to revision 3 (t), with 1 unfinished line skipped. '],
  [2, 'Good up to revision 3 (t), with 2 unfinished lines skipped. '],
])('a broken journal says how far it is good, with %i unfinished lines', (torn, sentence) => {
  const entry = { revision: 5, at: 'u' };
  const { code, message } = brokenChain('/j', { line: 9, entry, last: { revision: 3, at: 't' }, torn });
  expect(code).toBe('JOURNAL_BROKEN');
  expect(message).toContain(sentence);
});

import { expect, it } from 'vitest';
import { TYPED_COMMANDS } from './event.ts';

/** Users' settings and hosts' files refer to these names: only the user's own prompt can carry one, including an approval. */
it('the commands that people type in a session keep their names', () => {
  expect(TYPED_COMMANDS).toEqual([
    'ralph',
    'cancel-ralph',
    'ralph-status',
    'ralph-approve',
    'ralph-reject',
    'ralph-help',
  ]);
});

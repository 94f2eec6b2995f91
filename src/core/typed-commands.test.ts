import { expect, it } from 'vitest';
import { TYPED_COMMANDS } from './event.ts';

/** Settings of users and files of hosts name them: only the user's own prompt can carry one, an approval among them. */
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

import { expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { decide } from './decide.ts';
import { learnEdit } from './learn-rarely.ts';

const evidence = { clock: aClock(1) };

it.each(['outcome-shown', 'move-shown'] as const)('%s is recorded only while it is due', (kind) => {
  const due = aState({ unseen: true, movedFrom: { host: 'claude-code', id: 'one' } });
  expect(decide(aSpec(), due, { kind }, evidence)).toEqual({ kind: 'record' });
  expect(decide(aSpec(), aState({}), { kind }, evidence)).toEqual({ kind: 'abstain', because: 'not-awaited' });
});

it('an edit of a file adds to the edits before it', () => {
  const state = aState({ edits: { goal: 'Add up.', claim: null as never } });
  const event = { kind: 'file-edited', edits: { goal: 'Subtract.' }, counted: 0 } as never;
  expect(learnEdit(aSpec(), state, event).edits).toEqual({ goal: 'Subtract.', claim: null });
});

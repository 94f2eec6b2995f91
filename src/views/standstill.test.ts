import { expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import { standstillAction, standstillOf } from './standstill.ts';

const running = aState({ status: 'running', session: { host: 'claude-code', id: 's' } });

it('says why nobody is at work: the client is dead, the turn was interrupted, or the session ended', () => {
  expect(standstillOf(running)).toBeNull();
  expect(standstillOf(running, { isInterrupted: true })).toMatchObject({ cause: 'interrupted' });
  expect(standstillOf(running, { isInterrupted: true, isDead: true })).toMatchObject({ cause: 'dead' });
  expect(standstillOf({ ...running, sessionLeft: true }, { isDead: true })).toMatchObject({ cause: 'ended' });
  expect(standstillOf({ ...running, status: 'paused' }, { isDead: true })).toBeNull();
});

it('offers the ways that are left when the client is dead', () => {
  const dead = standstillOf(running, { isDead: true });
  expect(dead === null ? [] : standstillAction('a-loop', dead)).toContain(
    'continue in another one:  /ralph --resume a-loop',
  );
});

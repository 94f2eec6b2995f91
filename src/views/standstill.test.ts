import { expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import { standstillAction, standstillOf } from './standstill.ts';

const running = aState({ status: 'running', session: { host: 'claude-code', id: 's' } });

it('says why nobody is at work: the client is dead, the turn was interrupted, or the session ended', () => {
  expect(standstillOf(running)).toBeNull();
  expect(standstillOf(running, { standing: 'interrupted' })).toMatchObject({ cause: 'interrupted' });
  expect(standstillOf(running, { standing: 'interrupted', isAlive: false })).toMatchObject({ cause: 'dead' });
  expect(standstillOf({ ...running, sessionLeft: true }, { isAlive: false })).toMatchObject({ cause: 'ended' });
  expect(standstillOf(running, { standing: 'failed' })).toMatchObject({ cause: 'failed', retryAt: null });
  expect(standstillOf({ ...running, status: 'pending' }, { isAlive: false })).toMatchObject({ cause: 'dead' });
  expect(standstillOf({ ...running, status: 'pending' }, { isAlive: true })).toBeNull();
  expect(standstillOf({ ...running, status: 'paused' }, { isAlive: false })).toBeNull();
});

it('offers the ways that are left when the client is dead', () => {
  const dead = standstillOf(running, { isAlive: false });
  expect(dead === null ? [] : standstillAction('a-loop', dead)).toContain(
    'continue in another one:  /ralph --resume a-loop',
  );
});

it('promises no retry that is overdue: whoever was to try again is gone', () => {
  const retryAt = Date.UTC(2026, 10, 17, 12);
  const failed = {
    ...running,
    resting: { retryAt },
    lastTrouble: { code: 'turn-failed', detail: 'status 500' },
  } as const;
  expect(standstillOf(failed, { nowMs: retryAt + 1000 })).toMatchObject({ retryAt: '2026-11-17T12:00:00.000Z' });
  expect(standstillOf(failed, { nowMs: retryAt + 10_000 })).toMatchObject({ cause: 'failed', retryAt: null });
});

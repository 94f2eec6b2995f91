import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { Loop } from '../core/journal.ts';
import { viewOf } from './loop-view.ts';
import { standstillActions, standstillOf } from './standstill.ts';
import { statusLines } from './status-lines.ts';

it('adds the time since the last event to the running time while somebody is at work', () => {
  const state = aState({ status: 'running', runningMs: 2000 });
  const loop: Loop = { spec: aSpec(), state, asked: aSpec() };
  const driver = { pid: 7, machine: 'm', alive: true };
  expect(statusLines(loop, driver, { liveMs: 13_000 })[3]).toContain(', 15s of 4h');
  expect(statusLines(loop, driver)[3]).toContain(', 2s of 4h');
});

it('puts what a person can do into the column of the other lines', () => {
  const state = aState({ status: 'paused', pause: { cause: 'user' } });
  expect(statusLines({ spec: aSpec(), state, asked: aSpec() }, null).at(-1)).toBe(
    `  continue:  tireless resume ${state.loop}`,
  );
});

const running = aState({ status: 'running', session: { host: 'claude-code', id: 's' } });

it('says why nobody is at work: the client is dead, the turn was interrupted, or the session ended', () => {
  expect(standstillOf(running)).toBeNull();
  expect(standstillOf(running, { idleCause: 'interrupted' })).toMatchObject({ cause: 'interrupted' });
  expect(standstillOf(running, { idleCause: 'interrupted', isAlive: false })).toMatchObject({ cause: 'dead' });
  expect(standstillOf({ ...running, sessionLeft: true }, { isAlive: false })).toMatchObject({ cause: 'ended' });
  expect(standstillOf(running, { idleCause: 'failed' })).toMatchObject({ cause: 'failed', retryAt: null });
  expect(standstillOf({ ...running, status: 'pending' }, { isAlive: false })).toMatchObject({ cause: 'dead' });
  expect(standstillOf({ ...running, status: 'pending' }, { isAlive: true })).toBeNull();
  expect(standstillOf({ ...running, status: 'pending' }, { idleCause: 'interrupted' })).toBeNull();
  expect(standstillOf(running, { idleCause: 'unjudged' })).toMatchObject({ cause: 'unjudged' });
  expect(standstillOf({ ...running, status: 'pending' }, { idleCause: 'unjudged' })?.reason).toContain('to begin it');
  expect(standstillOf({ ...running, status: 'paused' }, { isAlive: false })).toBeNull();
});

it('names the failed turn after which the session ended', () => {
  const failed = {
    ...running,
    plan: { ...running.plan, rerun: true },
    lastTrouble: { code: 'turn-failed', detail: 'status 500' },
  } as const;
  const reason = (state: typeof running, isAlive: boolean): string | undefined =>
    standstillOf(state, { isAlive })?.reason;
  expect(reason({ ...failed, sessionLeft: true }, true)).toMatch(
    /^its session has ended; the last turn failed: .*500/u,
  );
  expect(reason(failed, false)).toMatch(/killed or crashed\); the last turn failed: .*500/u);
  expect(reason({ ...failed, plan: running.plan, sessionLeft: true }, true)).toBe('its session has ended');
});

it('offers the ways that are left when the client is dead', () => {
  const dead = standstillOf(running, { isAlive: false });
  expect(dead === null ? [] : standstillActions({ ...running, loop: 'a-loop' }, dead)).toContainEqual({
    label: 'continue in another one',
    command: '/ralph --resume a-loop',
  });
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

const RETRY_AT = '2026-06-10T12:05:00.000Z';
const spec = aSpec({});
const state = aState({
  status: 'running',
  resting: { retryAt: Date.parse(RETRY_AT) },
  lastTrouble: { code: 'turn-failed', detail: 'exit code 1: 529 overloaded' },
});
const loop: Loop = { asked: spec, spec, state };
const driver = { pid: 7, machine: 'm' };

describe('a loop whose driver waits after a failed turn', () => {
  it('is shown with the time at which it continues, and why it waits', () => {
    const [first, ...rest] = statusLines(loop, { ...driver, alive: true });
    expect(first).toMatch(new RegExp(`  waiting until ${RETRY_AT}: the last turn failed: .*529 overloaded$`, 'u'));
    expect(rest.join('\n')).not.toContain('write to the agent');
    expect(viewOf(loop)).toMatchObject({ status: 'running', standstill: { cause: 'failed', retryAt: RETRY_AT } });
  });

  it('is not said to wait when its driver is dead', () => {
    expect(statusLines(loop, { ...driver, alive: false })[0]).not.toContain('waiting');
  });

  it('is at work otherwise', () => {
    const { resting: _, ...working } = state;
    expect(viewOf({ ...loop, state: working })).not.toHaveProperty('standstill');
  });
});

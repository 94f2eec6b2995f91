import { describe, expect, it } from 'vitest';
import { aCheck, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Loop } from '../core/journal.ts';
import { momentText } from './duration.ts';
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

it('says that the checks run before the first iteration', () => {
  const state = aState({ status: 'pending' });
  const spec = aSpec({ checks: [aCheck('unit')] });
  const first = (driver: Parameters<typeof statusLines>[1], shown = spec): string =>
    statusLines({ spec: shown, state, asked: shown }, driver)[0] ?? '';
  const driver = { pid: 7, machine: 'm', alive: true };
  expect(first(driver)).toBe(`${state.loop}  pending: its checks are running, before the first iteration`);
  expect([first(null), first(driver, aSpec())]).toEqual([`${state.loop}  pending`, `${state.loop}  pending`]);
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
  expect(standstillOf({ ...running, status: 'pending' }, { idleCause: 'unjudged' })?.reason).toContain(
    'should have begun it',
  );
  expect(standstillOf({ ...running, status: 'paused' }, { isAlive: false })).toBeNull();
});

it('says that the agent asks for a permission, until its work shows that the user answered', () => {
  const clock = { boot: 'b', monotonicMs: 0, wallMs: 5000 };
  const asking = { ...running, awaitsAnswer: true, runningSince: clock } as const;
  expect(standstillOf(asking, { workedMs: 5000 })?.reason).toContain('asks you for a permission');
  expect(standstillOf(asking, { workedMs: 5001 })).toBeNull();
  expect(standstillOf(asking, { workedMs: 5000, idleCause: 'interrupted' })).toMatchObject({ cause: 'interrupted' });
});

it('says that the agent waits for a message, or why, where the transcript shows that', () => {
  const resting = { ...running, resting: { retryAt: null } };
  expect(standstillOf(resting)).toMatchObject({ cause: 'waiting' });
  expect(standstillOf(resting, { idleCause: 'failed' })).toMatchObject({ cause: 'failed' });
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
  const loop = { ...running, loop: 'a-loop' };
  expect(dead === null ? [] : standstillActions(loop, dead, 'claude --resume s')).toEqual([
    { label: 'continue in its session', advice: 'reopen it: claude --resume s' },
    { label: 'continue in another one', command: '/ralph --resume a-loop' },
    { label: 'continue outside it', command: 'tireless resume a-loop --agent claude-code' },
  ]);
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
    expect(first).toMatch(
      new RegExp(`  waiting until ${momentText(RETRY_AT)}: the last turn failed: .*529 overloaded$`, 'u'),
    );
    expect(rest.join('\n')).not.toContain('write to the agent');
    expect(viewOf(loop)).toMatchObject({ status: 'running', standstill: { cause: 'failed', retryAt: RETRY_AT } });
  });

  it('is not said to wait when its driver is dead', () => {
    expect(statusLines(loop, { ...driver, alive: false })[0]).toContain('stalled: the process that drove it is gone');
  });

  it('is at work otherwise', () => {
    const { resting: _, ...working } = state;
    expect(viewOf({ ...loop, state: working })).not.toHaveProperty('standstill');
  });
});

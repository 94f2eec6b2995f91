import { expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { State } from './loop.ts';
import type { SessionSigns } from './session-activity.ts';
import { activeElsewhereMs, idleMsIn, isAgentIdle, liveMsIn } from './session-activity.ts';

const spec = aSpec({ driver: 'session' });
const ONE = { host: 'claude-code', id: 'one' };
const TWO = { host: 'claude-code', id: 'two' };
const AT = '2026-11-17T12:00:00.000Z';
const SEEN = Date.parse(AT);
const working = aState({ phase: 'working', session: ONE, updatedAt: AT });
const signs: SessionSigns = {
  nowMs: SEEN + 12_000,
  changedMs: SEEN,
  writtenMs: null,
  workedMs: null,
  idleCause: null,
  isAlive: true,
  isOwnProgram: false,
};

const active = (state: State, more: Partial<SessionSigns> = {}, target = TWO): number | null =>
  activeElsewhereMs({ spec, state }, target, { ...signs, ...more });

it('tells how long ago the agent of another session was active, also where nobody knows its program', () => {
  expect(active(working)).toBe(12_000);
  expect(active(working, { isAlive: null })).toBe(12_000);
  expect(active(working, { writtenMs: SEEN + 60_000 })).toBe(0);
});

it.each<[string, State, Partial<SessionSigns>]>([
  ['has no session', { ...working, session: null }, {}],
  ['waits', { ...working, phase: 'ready', status: 'paused', pause: { cause: 'user' } }, {}],
  ['has a session that ended', { ...working, sessionLeft: true }, {}],
  ['has a program that is gone', working, { isAlive: false }],
  ['is asked for in its own program', working, { isOwnProgram: true }],
  ['was interrupted', working, { idleCause: 'interrupted' }],
  ['has a turn that failed, as only its transcript shows', working, { idleCause: 'failed' }],
  ['wrote nothing for ten minutes', working, { writtenMs: SEEN + 1000, nowMs: SEEN + 601_000 }],
  ['gave no sign for an iteration', working, { nowMs: SEEN + spec.timing.iterationTimeoutMs }],
  [
    'has a turn that failed',
    { ...working, plan: { ...working.plan, rerun: true }, lastTrouble: { code: 'turn-failed', detail: '' } },
    {},
  ],
])('takes a loop for free that %s', (_name, state, more) => {
  expect(active(state, more)).toBeNull();
});

it('takes no loop for free that works again after a failure, and none from its own session', () => {
  const again: State = {
    ...working,
    plan: { ...working.plan, rerun: true },
    lastTrouble: { code: 'turn-failed', detail: '' },
  };
  expect(active(again, { writtenMs: SEEN + 11_000 })).toBe(1000);
  expect(active(working, {}, ONE)).toBeNull();
});

it('knows how long ago the agent was at work, if anything shows it', () => {
  expect(idleMsIn(signs)).toBeUndefined();
  expect(idleMsIn({ ...signs, writtenMs: SEEN })).toBe(12_000);
  expect(idleMsIn({ ...signs, writtenMs: SEEN + 9000, workedMs: SEEN + 2000 })).toBe(10_000);
});

it('begins the turn again without a fault when the user insists, and remembers whom to notify until that is done', () => {
  const evidence = { clock: aClock(0) };
  const step = (state: State, event: Event): State => {
    const decision = decide(spec, state, event, evidence);
    expect(decision.kind).not.toBe('abstain');
    return advance(spec, state, { event, evidence, decision, at: AT });
  };
  const moved = step(working, { kind: 'session-changed', session: TWO, from: ONE, activeMs: 12_000 });
  expect(moved).toMatchObject({ session: TWO, movedFrom: ONE, lastTrouble: { code: 'session-changed' } });
  expect(step(moved, { kind: 'session-resumed', taken: true })).toMatchObject({ faults: 0, counted: 0 });
  const told = step(moved, { kind: 'move-shown' });
  expect(told).not.toHaveProperty('movedFrom');
  expect(decide(spec, told, { kind: 'move-shown' }, evidence)).toMatchObject({ kind: 'abstain' });
  const driven = step(working, { kind: 'driver-changed', agent: { kind: 'named', name: 'x' }, from: ONE, activeMs: 0 });
  expect(driven).toMatchObject({ session: null, movedFrom: ONE });
});

it('adds the time of a session that is not recorded yet, up to now or to a last sign that was minutes ago', () => {
  const state = { ...working, runningMs: 1000, runningSince: aClock(0) };
  const now = aClock(3_600_000);
  const seen = (agoMs: number) => ({ workedMs: now.wallMs - agoMs });
  expect(liveMsIn(state, seen(5000), now)).toBe(3_600_000);
  expect(liveMsIn(state, seen(1_600_000), now)).toBe(2_000_000);
  expect(liveMsIn(state, { workedMs: null, writtenMs: null }, now)).toBe(0);
  expect(liveMsIn({ ...state, runningSince: null }, seen(0), now)).toBe(0);
});

it('knows that the agent of a loop which the user paused works until its session has shown the pause', () => {
  const paused = { ...working, status: 'paused', pause: { cause: 'user' }, baseline: [] } as const;
  expect(isAgentIdle({ ...paused, unseen: true })).toBe(false);
  expect(isAgentIdle(paused)).toBe(true);
  expect(isAgentIdle({ ...paused, unseen: true, baseline: null })).toBe(true);
  expect(isAgentIdle({ ...paused, unseen: true, resting: { retryAt: null } })).toBe(true);
  expect(isAgentIdle({ ...paused, pause: { cause: 'blocked' }, unseen: true })).toBe(true);
  expect(isAgentIdle(working)).toBe(false);
});

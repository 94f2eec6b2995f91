import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import { countedUntil, idleMsAt, isOfWorker, runningMsAt, workedUntil } from './running-time.ts';
import { withTime } from './working-time.ts';

const kinds = (events: readonly Event['kind'][]): Event[] => events.map((kind) => ({ kind }) as Event);

describe('the time that a loop ran', () => {
  const running = aState({ runningMs: 500, runningSince: aClock(1000) });

  it('goes on by the monotonic clock, and never back', () => {
    expect(runningMsAt(running, aClock(1700))).toBe(1200);
    expect(runningMsAt(running, aClock(400))).toBe(500);
    expect(runningMsAt(running, { ...aClock(1700), wallMs: 0 })).toBe(1200);
  });

  it('does not pass across a reboot, nor while nobody works', () => {
    expect(runningMsAt(running, { ...aClock(1700), boot: 'another' })).toBe(500);
    expect(runningMsAt({ ...running, runningSince: null }, aClock(1700))).toBe(500);
  });

  it.each(
    kinds([
      'pause-requested',
      'cancel-requested',
      'resume-requested',
      'steering-given',
      'attempt-refused',
      'approval-given',
      'approval-refused',
      'user-spoke',
      'worker-leased',
      'file-edited',
      'driver-changed',
      'goal-announced',
      'watcher-began',
      'watcher-acted',
      'watcher-ended',
      'loop-started',
      'session-changed',
      'session-resumed',
    ]),
  )('is not vouched for by $kind, which anybody may send', (event) => {
    expect(isOfWorker(event)).toBe(false);
    const seen = { clock: aClock(9000), holderSeen: aClock(1300) };
    const until = event.kind === 'session-resumed' ? aClock(1000) : aClock(1300);
    expect(workedUntil(aSpec(), running, event, seen)).toEqual(until);
  });

  it.each(
    kinds([
      'baseline-taken',
      'worker-released',
      'iteration-began',
      'turn-ended',
      'turn-failed',
      'turn-aborted',
      'wait-ended',
      'tampering-found',
    ]),
  )('is vouched for by $kind, which only its worker sends', (event) => {
    expect(isOfWorker(event)).toBe(true);
    expect(workedUntil(aSpec(), running, event, { clock: aClock(9000), holderSeen: aClock(1300) })).toEqual(
      aClock(9000),
    );
  });

  it.each(kinds(['user-spoke', 'session-left', 'session-resumed', 'session-changed', 'driver-changed']))(
    'ends in a session at the last sign of the agent before $kind: its transcript, or its last event',
    (event) => {
      const session = aSpec({ driver: 'session' });
      const until = (idleMs: number | undefined): number =>
        workedUntil(session, running, event, { clock: aClock(9000), ...(idleMs === undefined ? {} : { idleMs }) })
          .monotonicMs;
      expect(until(idleMsAt(running, event, aClock(9000), undefined))).toBe(aClock(1000).monotonicMs);
      expect(until(idleMsAt(running, event, aClock(9000), 5000))).toBe(aClock(4000).monotonicMs);
      expect(idleMsAt(running, event, { ...aClock(9000), boot: 'another' }, undefined)).toBeUndefined();
    },
  );

  it('goes on under a request from another terminal, unless the transcript shows when the agent was last at work', () => {
    const [pause, stop] = kinds(['pause-requested', 'turn-ended']);
    if (pause === undefined || stop === undefined) throw new Error('unreachable');
    expect(idleMsAt(running, pause, aClock(9000), undefined)).toBeUndefined();
    expect(idleMsAt(running, pause, aClock(9000), 700)).toBe(700);
    expect(idleMsAt(running, stop, aClock(9000), 700)).toBeUndefined();
  });
});

describe('the time in which the agent waited for an answer of its user', () => {
  const spec = aSpec({ driver: 'session' });
  const running = aState({ runningMs: 500, runningSince: aClock(1000) });
  const ended = { kind: 'turn-ended', iteration: null, worker: null } as const;
  const counted = (evidence: Evidence, event: Event = ended): number =>
    runningMsAt(running, countedUntil(spec, running, event, evidence));

  it('does not count', () => {
    expect(counted({ clock: aClock(31_000), waitedMs: 25_000 })).toBe(5500);
    expect(counted({ clock: aClock(31_000) })).toBe(30_500);
  });

  it('never gives a loop more time than it had', () => {
    expect(counted({ clock: aClock(31_000), waitedMs: 90_000 })).toBe(500);
    expect(counted({ clock: { ...aClock(31_000), boot: 'another' }, waitedMs: 25_000 })).toBe(500);
  });

  it('is not cut off twice where the machine slept meanwhile', () => {
    const clock = aClock(31_000);
    const slept = { ...clock, wallMs: clock.wallMs + 3_600_000 };
    expect(counted({ clock: slept, waitedMs: 3_625_000 })).toBe(5500);
  });

  it('is cut off before the silence after it, when the user refused and came back later', () => {
    const evidence = { clock: aClock(131_000), idleMs: 100_000, waitedMs: 25_000 };
    expect(counted(evidence, { kind: 'user-spoke' })).toBe(5500);
  });

  it('ends with the event: what comes after it counts again', () => {
    const step = { event: ended, evidence: { clock: aClock(31_000), waitedMs: 25_000 } };
    const after = withTime(spec, running, step);
    expect(after).toMatchObject({ runningMs: 5500, runningSince: aClock(31_000) });
    expect(runningMsAt(after, aClock(32_000))).toBe(6500);
  });

  it('halts no loop', () => {
    const limits = { ...running.limits, durationMaxMs: 20_000 };
    const state = { ...running, status: 'running', phase: 'working', limits } as const;
    const decided = (waitedMs: number) => decide(spec, state, ended, { clock: aClock(31_000), waitedMs }).kind;
    expect([decided(0), decided(25_000)]).toEqual(['halt', 'continue']);
  });
});

import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { State } from './loop.ts';
import { countedUntil, idleMsAt, isOfWorker, runningMsAt, workedUntil } from './running-time.ts';
import { withTime } from './working-time.ts';

const kinds = (events: readonly Event['kind'][]): Event[] => events.map((kind) => ({ kind }) as Event);

describe('the time that a loop ran', () => {
  const running = aState({ runningMs: 500, runningSince: aClock(1000) });

  it('advances by the monotonic clock, and never goes back', () => {
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

  it('continues across a request from another terminal, unless the transcript shows when the agent was last at work', () => {
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
  const working = { ...running, status: 'running', phase: 'working' } as const;
  const recorded = { at: '', decision: { kind: 'record' } } as const;
  const at = (ms: number): Evidence => ({ clock: aClock(ms) });

  it('does not count', () => {
    expect(counted({ clock: aClock(31_000), dialogMs: 25_000 })).toBe(5500);
    expect(counted({ clock: aClock(31_000) })).toBe(30_500);
  });

  it('never gives a loop more time than it had', () => {
    expect(counted({ clock: aClock(31_000), dialogMs: 90_000 })).toBe(500);
    expect(counted({ clock: { ...aClock(31_000), boot: 'another' }, dialogMs: 25_000 })).toBe(500);
  });

  it('is not cut off twice where the machine slept meanwhile', () => {
    const clock = aClock(31_000);
    const slept = { ...clock, wallMs: clock.wallMs + 3_600_000 };
    expect(counted({ clock: slept, dialogMs: 3_625_000 })).toBe(5500);
  });

  it('is cut off before the silence after it, when the user refused and came back later', () => {
    const evidence = { clock: aClock(131_000), idleMs: 100_000, dialogMs: 25_000 };
    expect(counted(evidence, { kind: 'user-spoke' })).toBe(5500);
  });

  it('ends with the event: what comes after it counts again', () => {
    const step = { event: ended, evidence: { clock: aClock(31_000), dialogMs: 25_000 } };
    const after = withTime(spec, running, step);
    expect(after).toMatchObject({ runningMs: 5500, runningSince: aClock(31_000) });
    expect(runningMsAt(after, aClock(32_000))).toBe(6500);
  });

  it('does not count before it is known how long it took, whatever comes from another terminal', () => {
    const asked = advance(spec, working, { ...recorded, event: { kind: 'permission-asked' }, evidence: at(11_000) });
    expect(asked).toMatchObject({ runningMs: 10_500, awaitsAnswer: true });
    const steer = { kind: 'steering-given', text: 'x' } as const;
    const steered = advance(spec, asked, { ...recorded, event: steer, evidence: at(61_000) });
    expect(steered).toMatchObject({ runningMs: 10_500, awaitsAnswer: true });
    const evidence = { ...at(71_000), dialogMs: 55_000 };
    const after = advance(spec, steered, {
      ...recorded,
      event: { kind: 'turn-aborted', iteration: null, worker: null },
      evidence,
    });
    expect(after.runningMs).toBe(15_500);
    expect(after).not.toHaveProperty('awaitsAnswer');
  });

  it('for a message counts no more: the clock stops where the agent last worked', () => {
    const evidence = { ...at(31_000), idleMs: 25_000, rests: true } as const;
    const rested = advance(spec, working, { ...recorded, event: { kind: 'agent-rested' }, evidence });
    expect(rested).toMatchObject({ runningMs: 5500, runningSince: null, resting: { retryAt: null } });
  });

  it('is recorded only of a turn that runs, and not of a session that a loop only observes', () => {
    const decisions = (of: State, observe: boolean): readonly string[] =>
      (['permission-asked', 'agent-rested'] as const).map(
        (kind) => decide({ ...spec, ...(observe ? { observe } : {}) }, of, { kind }, at(31_000)).kind,
      );
    expect(decisions(working, false)).toEqual(['record', 'record']);
    expect(decisions(working, true)).toEqual(['record', 'abstain']);
    expect(decisions({ ...working, status: 'paused' }, false)).toEqual(['abstain', 'abstain']);
    expect(decisions({ ...working, resting: { retryAt: null } }, false)).toEqual(['record', 'abstain']);
  });

  it('halts no loop', () => {
    const limits = { ...running.limits, durationMaxMs: 20_000 };
    const state = { ...running, status: 'running', phase: 'working', limits } as const;
    const decided = (dialogMs: number) => decide(spec, state, ended, { clock: aClock(31_000), dialogMs }).kind;
    expect([decided(0), decided(25_000)]).toEqual(['halt', 'continue']);
  });
});

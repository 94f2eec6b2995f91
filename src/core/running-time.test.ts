import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Event } from './event.ts';
import { isOfWorker, runningMsAt, workedUntil } from './running-time.ts';

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
});

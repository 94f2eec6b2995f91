import type { Event } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';

/**
 * Only running time counts, on the monotonic clock: a changed wall clock, a suspended laptop or a night between two
 * processes neither uses up a loop's time nor gives it more. Across a reboot nothing ran, so nothing is added.
 */
export function runningMsAt(state: State, until: ClockReading): number {
  const since = state.runningSince;
  if (since === null || since.boot !== until.boot) return state.runningMs;
  return state.runningMs + Math.max(0, until.monotonicMs - since.monotonicMs);
}

/**
 * Until when work was done. An event of the worker proves it was working. Any other event (a `steer` from another terminal, a second
 * worker) counts only up to when the worker was last seen alive: the silence of a dead worker is not work.
 */
export function workedUntil(spec: Spec, state: State, event: Event, evidence: Evidence): ClockReading {
  // Between a crash and the return of a session nobody worked, however long that took.
  if (event.kind === 'session-resumed') return state.runningSince ?? evidence.clock;
  // No event reports Esc: the next thing the user writes is the first sign of it.
  if ((event.kind === 'user-spoke' || event.kind === 'session-left') && evidence.idleMs !== undefined)
    return seenAtWork(state.runningSince, evidence.clock, evidence.idleMs);
  if (spec.driver === 'session' || isOfWorker(event)) return evidence.clock;
  return evidence.holderSeen ?? state.runningSince ?? evidence.clock;
}

function seenAtWork(since: ClockReading | null, clock: ClockReading, idleMs: number): ClockReading {
  const earliest = since?.boot === clock.boot ? since.monotonicMs : clock.monotonicMs;
  const ago = Math.min(Math.max(0, idleMs), Math.max(0, clock.monotonicMs - earliest));
  return { ...clock, wallMs: clock.wallMs - ago, monotonicMs: clock.monotonicMs - ago };
}

/** Is it reported by whoever drives the loop? Then its arrival shows that someone was at work. */
export function isOfWorker({ kind }: Event): boolean {
  return OF_WORKER[kind];
}

const OF_WORKER: Readonly<Record<Event['kind'], boolean>> = {
  'baseline-taken': true,
  'worker-released': true,
  'iteration-began': true,
  'turn-ended': true,
  'turn-failed': true,
  'turn-aborted': true,
  'wait-ended': true,
  'tampering-found': true,
  'loop-started': false,
  'worker-leased': false,
  'watcher-began': false,
  'watcher-acted': false,
  'watcher-ended': false,
  'pause-requested': false,
  'resume-requested': false,
  'cancel-requested': false,
  'steering-given': false,
  'attempt-refused': false,
  'session-changed': false,
  'file-edited': false,
  'approval-given': false,
  'approval-refused': false,
  'user-spoke': false,
  'session-left': false,
  'session-resumed': false,
  'driver-changed': false,
  'goal-announced': false,
  'outcome-shown': false,
  'move-shown': false,
};

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
 * worker) counts only up to when the worker was last seen alive, or the agent at work: the silence of a dead worker, after Esc, or after a
 * failed turn is not work.
 */
export function workedUntil(spec: Spec, state: State, event: Event, evidence: Evidence): ClockReading {
  // Not every host reports Esc, a failed turn or its own end: the next event is the first sign of it.
  if (evidence.idleMs !== undefined && !isOfWorker(event))
    return seenAtWork(state.runningSince, evidence.clock, evidence.idleMs);
  // Between a crash and the return of a session nobody worked, however long that took.
  if (event.kind === 'session-resumed') return state.runningSince ?? evidence.clock;
  if (spec.driver === 'session' || isOfWorker(event)) return evidence.clock;
  return evidence.holderSeen ?? state.runningSince ?? evidence.clock;
}

/**
 * Up to where time counts at this reading: the time in which the agent waited for an answer of the user is cut off. A transcript shows it on the
 * wall clock, so the time that the machine slept, which does not count anyway, is not cut off a second time.
 */
export function withoutWaits(state: State, until: ClockReading, { clock, waitedMs = 0 }: Evidence): ClockReading {
  const since = state.runningSince;
  if (waitedMs <= 0 || since?.boot !== clock.boot) return until;
  const sleptMs = Math.max(0, clock.wallMs - since.wallMs - (clock.monotonicMs - since.monotonicMs));
  return seenAtWork(since, until, waitedMs - sleptMs);
}

/** Until when work was done, for what is compared with limits. */
export function countedUntil(spec: Spec, state: State, event: Event, evidence: Evidence): ClockReading {
  return withoutWaits(state, workedUntil(spec, state, event, evidence), evidence);
}

function seenAtWork(since: ClockReading | null, clock: ClockReading, idleMs: number): ClockReading {
  const earliest = since?.boot === clock.boot ? since.monotonicMs : clock.monotonicMs;
  const ago = Math.min(Math.max(0, idleMs), Math.max(0, clock.monotonicMs - earliest));
  return { ...clock, wallMs: clock.wallMs - ago, monotonicMs: clock.monotonicMs - ago };
}

/**
 * How long ago the agent was last at work, for an event that shows nothing about it. `known`: according to its transcript; without one, its
 * last event was the last sign. `undefined` = the event counts in full.
 */
export function idleMsAt(
  state: State,
  event: Event,
  clock: ClockReading,
  known: number | undefined,
): number | undefined {
  if (isOfWorker(event)) return undefined;
  if (known !== undefined || !FOLLOWS_SILENCE.has(event.kind)) return known;
  const since = state.runningSince;
  return since?.boot === clock.boot ? Math.max(0, clock.monotonicMs - since.monotonicMs) : undefined;
}

/** Somebody begins, ends or moves the work: until then, for all that is known, nobody was at it. */
const FOLLOWS_SILENCE: ReadonlySet<Event['kind']> = new Set([
  'turn-failed',
  'user-spoke',
  'session-left',
  'session-resumed',
  'session-changed',
  'driver-changed',
]);

/** Is it reported by whoever drives the loop? Then its arrival shows that someone was at work. */
export function isOfWorker(event: Event): boolean {
  return OF_WORKER[event.kind] && !(event.kind === 'turn-failed' && event.late === true);
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

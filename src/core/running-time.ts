import type { Event } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';

/**
 * Only running time counts, on the monotonic clock: a changed wall clock, a suspended laptop or a night between two processes neither uses
 * up a loop's time nor extends it. Nothing runs across a reboot, so nothing is added.
 */
export function runningMsAt(state: State, until: ClockReading): number {
  const since = state.runningSince;
  if (since === null || since.boot !== until.boot) return state.runningMs;
  return state.runningMs + Math.max(0, until.monotonicMs - since.monotonicMs);
}

/**
 * Until when work was done. An event of the worker proves that it was working. Any other event (a `steer` from another terminal, a second
 * worker) counts only until the worker was last seen alive or the agent at work: silence after a dead worker, Esc or a failed turn is not
 * work.
 */
export function workedUntil(spec: Spec, state: State, event: Event, evidence: Evidence): ClockReading {
  // Not every host reports Esc, a failed turn or its own exit: the next event is the first sign of it.
  if (evidence.idleMs !== undefined && !isOfWorker(event))
    return seenAtWork(state.runningSince, evidence.clock, evidence.idleMs);
  // When the agent continued after a dialog is found out at an event that shows it.
  if (state.awaitsAnswer === true && !isOfWorker(event)) return state.runningSince ?? evidence.clock;
  // Between a crash and the return of a session nobody worked, however long that took.
  if (event.kind === 'session-resumed') return state.runningSince ?? evidence.clock;
  if (spec.driver === 'session' || isOfWorker(event)) return evidence.clock;
  return evidence.holderSeen ?? state.runningSince ?? evidence.clock;
}

/**
 * Until when time counts, less the time in which the agent waited for the user. A transcript shows waits on the wall clock, so time in
 * which the machine slept, which never counts, is not subtracted twice.
 */
export function withoutDialogs(state: State, until: ClockReading, { clock, dialogMs = 0 }: Evidence): ClockReading {
  const since = state.runningSince;
  if (dialogMs <= 0 || since?.boot !== clock.boot) return until;
  const sleptMs = Math.max(0, clock.wallMs - since.wallMs - (clock.monotonicMs - since.monotonicMs));
  return seenAtWork(since, until, dialogMs - sleptMs);
}

/** Until when work was done, for comparing with limits. */
export function countedUntil(spec: Spec, state: State, event: Event, evidence: Evidence): ClockReading {
  return withoutDialogs(state, workedUntil(spec, state, event, evidence), evidence);
}

function seenAtWork(since: ClockReading | null, clock: ClockReading, idleMs: number): ClockReading {
  const earliest = since?.boot === clock.boot ? since.monotonicMs : clock.monotonicMs;
  const ago = Math.min(Math.max(0, idleMs), Math.max(0, clock.monotonicMs - earliest));
  return { ...clock, wallMs: clock.wallMs - ago, monotonicMs: clock.monotonicMs - ago };
}

/**
 * How long ago the agent was last at work, for an event that does not show it. `known`: according to its transcript; without one, its last
 * event was the last sign. `undefined` = the event counts in full.
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

/** Somebody begins, ends or moves the work. As far as anyone knows, nobody worked until then. */
const FOLLOWS_SILENCE: ReadonlySet<Event['kind']> = new Set([
  'turn-failed',
  'user-spoke',
  'session-left',
  'session-resumed',
  'session-changed',
  'driver-changed',
]);

/** Is the event reported by whoever drives the loop? Then it shows that someone was at work. */
export function isOfWorker(event: Event): boolean {
  return Object.hasOwn(OF_WORKER, event.kind) && !(event.kind === 'turn-failed' && event.late === true);
}

type NotOfWorker = Extract<
  Event['kind'],
  | 'agent-rested'
  | 'loop-started'
  | 'worker-leased'
  | 'watcher-began'
  | 'watcher-acted'
  | 'watcher-ended'
  | 'pause-requested'
  | 'resume-requested'
  | 'cancel-requested'
  | 'steering-given'
  | 'attempt-refused'
  | 'session-changed'
  | 'file-edited'
  | 'approval-given'
  | 'approval-refused'
  | 'user-spoke'
  | 'session-left'
  | 'session-resumed'
  | 'driver-changed'
  | 'goal-announced'
  | 'outcome-shown'
  | 'move-shown'
>;

/** Every other kind has to be listed: the compiler finds a new one. */
const OF_WORKER: Readonly<Record<Exclude<Event['kind'], NotOfWorker>, true>> = {
  'baseline-taken': true,
  'worker-released': true,
  'iteration-began': true,
  'turn-ended': true,
  'turn-failed': true,
  'turn-aborted': true,
  'permission-asked': true,
  'wait-ended': true,
  'tampering-found': true,
};

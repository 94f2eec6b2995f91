import type { Step } from './advance.ts';
import type { Event } from './event.ts';
import type { Spec, State } from './loop.ts';
import { runningMsAt, withoutDialogs, workedUntil } from './running-time.ts';

/** Time in which nobody worked is not added, and the clock stops until somebody works again. */
export function withTime(spec: Spec, state: State, { event, evidence }: Pick<Step, 'event' | 'evidence'>): State {
  if (state.resting !== undefined && !WORK_BEGINS.has(event.kind)) return state;
  const until = workedUntil(spec, state, event, evidence);
  const { resting: _, ...rest } = state;
  const since = BEGINS_NOW.has(event.kind) ? evidence.clock : until;
  return { ...rest, runningMs: runningMsAt(state, withoutDialogs(state, until, evidence)), runningSince: since };
}

/** The loop is running but nobody works on it: no time passes. */
export function withRest(state: State, { event, evidence, decision }: Omit<Step, 'at'>): State {
  if (evidence.rests !== true || state.status !== 'running') return state;
  const isRetried = event.kind === 'turn-failed' && decision.kind === 'continue';
  const retryAt = isRetried ? evidence.clock.wallMs + decision.delayMs : null;
  return { ...state, resting: { retryAt }, runningSince: null };
}

/** When to wake the agent of this session, epoch milliseconds; `null` = never. A loop that only observes wakes nobody. */
export function wakeTimeOf({ spec, state }: { readonly spec: Spec; readonly state: State }): number | null {
  if (spec.driver !== 'session' || spec.observe === true || state.sessionLeft === true) return null;
  if (state.status === 'running') return state.resting?.retryAt ?? null;
  return state.status === 'paused' && state.pause?.cause === 'usage-limit' ? (state.pause.resumeAt ?? null) : null;
}

/** Somebody works from here on, whatever happened before. */
const BEGINS_NOW: ReadonlySet<Event['kind']> = new Set(['worker-leased', 'session-resumed', 'user-spoke']);

/** These end a rest. Others (a `steer` or a `pause` from another terminal) begin no work. */
const WORK_BEGINS: ReadonlySet<Event['kind']> = new Set([
  'wait-ended',
  'user-spoke',
  'session-resumed',
  'turn-ended',
  'turn-aborted',
  'iteration-began',
  'driver-changed',
  'worker-leased',
]);

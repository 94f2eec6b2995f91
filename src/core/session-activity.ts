import type { ClockReading } from './evidence.ts';
import type { SessionRef, Spec, State } from './loop.ts';
import { isSameSession } from './loop.ts';
import { runningMsAt } from './running-time.ts';

/**
 * `interrupted`: the user broke off the last turn. `failed`: the turn failed. `unjudged`: the turn ended, but its hook was ended before the
 * checks had finished.
 */
export type IdleCause = 'interrupted' | 'failed' | 'unjudged';

/** What can be observed about the session that a loop lives in. */
export type SessionSigns = {
  readonly nowMs: number;
  /** When the loop last changed; epoch milliseconds. */
  readonly changedMs: number;
  /** When the transcript of the session was last written; `null` = none was found. */
  readonly writtenMs: number | null;
  /** When the agent was last at work, according to the transcript; `null` = the transcript does not show it. */
  readonly workedMs: number | null;
  /** Why nobody is at work, according to the transcript or an open check; `null` = somebody may be. */
  readonly idleCause: IdleCause | null;
  /** Is the program of the session still running? `null` = unknown. */
  readonly isAlive: boolean | null;
  /** The caller runs in the same program, which works on one session at a time. */
  readonly isOwnProgram: boolean;
};

/** A program that writes nothing for this long is not at work: hosts end their tools, or report on them, sooner. */
const SILENT_MS_MAX = 10 * 60_000;

/** A host records a failed turn shortly after its hook has reported it; anything written later is work. */
const FAILURE_SETTLES_MS = 5000;

/**
 * How long ago the agent of another session was active, in milliseconds. `null` = nobody is at work there, so the loop is free: it waits,
 * its turn failed or was broken off, its session or program has ended, its transcript was not written for minutes, or there was no sign of
 * it for longer than an iteration may take.
 */
export function activeElsewhereMs(
  { spec, state }: { readonly spec: Spec; readonly state: State },
  target: SessionRef | null,
  signs: SessionSigns,
): number | null {
  if (state.session === null || isSameSession(state.session, target)) return null;
  if (state.status !== 'running' || state.phase !== 'working') return null;
  if (state.sessionLeft === true || isFailed(state, signs)) return null;
  if (signs.isAlive === false || signs.isOwnProgram || signs.idleCause !== null) return null;
  const ago = Math.max(0, signs.nowMs - Math.max(signs.changedMs, signs.writtenMs ?? 0));
  const silentMsMax = Math.min(spec.timing.iterationTimeoutMs, signs.writtenMs === null ? Infinity : SILENT_MS_MAX);
  return ago >= silentMsMax ? null : ago;
}

/**
 * Has the agent of this session stopped, so that only a message begins its next turn? The agent of a loop that the user paused works until its
 * stop, where the pause is shown.
 */
export function isAgentIdle({ status, pause, unseen, resting, baseline }: State): boolean {
  if (status === 'halted') return true;
  const mayWork = pause?.cause === 'user' && unseen === true && resting === undefined && baseline !== null;
  return status === 'paused' && !mayWork;
}

/**
 * Running time in a session that no event has recorded yet: until now, or until the last sign of its agent if that was minutes ago. Without any
 * sign nothing is known, and it is 0.
 */
export function liveMsIn(state: State, signs: Partial<SessionSigns>, clock: ClockReading): number {
  const { runningSince: since, runningMs } = state;
  const seenMs = signs.workedMs ?? signs.writtenMs ?? null;
  if (since === null || seenMs === null) return 0;
  const silentMs = clock.wallMs - seenMs;
  const until = silentMs < SILENT_MS_MAX ? clock.monotonicMs : clock.monotonicMs - silentMs;
  return runningMsAt(state, { ...clock, monotonicMs: until }) - runningMs;
}

/** How long ago the agent was last at work; `undefined` = nothing shows it. */
export function idleMsIn({ nowMs, workedMs, writtenMs }: SessionSigns): number | undefined {
  const seen = workedMs ?? writtenMs;
  return seen === null ? undefined : Math.max(0, nowMs - seen);
}

/** The turn failed, and there is no sign of another one since. */
function isFailed({ plan, lastTrouble }: State, { changedMs, writtenMs }: SessionSigns): boolean {
  const isSettled = (writtenMs ?? 0) < changedMs + FAILURE_SETTLES_MS;
  return plan.rerun && lastTrouble?.code === 'turn-failed' && isSettled;
}

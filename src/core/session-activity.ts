import type { SessionRef, Spec, State } from './loop.ts';
import { isSameSession } from './loop.ts';

/** What can be observed about the session that a loop lives in. */
export type SessionSigns = {
  readonly nowMs: number;
  /** When the loop last changed; epoch milliseconds. */
  readonly changedMs: number;
  /** When the transcript of the session was last written; `null` = none was found. */
  readonly writtenMs: number | null;
  /** Is the program of the session still running? `null` = unknown. */
  readonly isAlive: boolean | null;
  /** The caller runs in the same program, and that program works on one session at a time. */
  readonly isOwnProgram: boolean;
};

/** A host records a failed turn shortly after its hook has reported it; anything written later is work. */
const FAILURE_SETTLES_MS = 5000;

/**
 * How long ago the agent of another session was active, in milliseconds; `null` = nobody is at work there, so the loop is free: it waits, its
 * turn failed, its session or the program has ended, or there was no sign of it for longer than an iteration may take.
 */
export function activeElsewhereMs(
  { spec, state }: { readonly spec: Spec; readonly state: State },
  target: SessionRef | null,
  signs: SessionSigns,
): number | null {
  if (state.session === null || isSameSession(state.session, target)) return null;
  if (state.status !== 'running' || state.phase !== 'working') return null;
  if (state.sessionLeft === true || isFailed(state, signs)) return null;
  if (signs.isAlive === false || signs.isOwnProgram) return null;
  const ago = Math.max(0, signs.nowMs - Math.max(signs.changedMs, signs.writtenMs ?? 0));
  return ago >= spec.timing.iterationTimeoutMs ? null : ago;
}

/** The turn failed, and nothing suggests another one since. */
function isFailed({ plan, lastTrouble }: State, { changedMs, writtenMs }: SessionSigns): boolean {
  const isSettled = (writtenMs ?? 0) < changedMs + FAILURE_SETTLES_MS;
  return plan.rerun && lastTrouble?.code === 'turn-failed' && isSettled;
}

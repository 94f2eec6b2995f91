import type { SessionRef, Spec, State } from './loop.ts';
import { isSameSession } from './loop.ts';

/** `interrupted`: the user broke off the last turn. `failed`: it did. `unjudged`: it ended, and its hook was ended before the checks had finished. */
export type IdleCause = 'interrupted' | 'failed' | 'unjudged';

/** What can be observed about the session that a loop lives in. */
export type SessionSigns = {
  readonly nowMs: number;
  /** When the loop last changed; epoch milliseconds. */
  readonly changedMs: number;
  /** When the transcript of the session was last written; `null` = none was found. */
  readonly writtenMs: number | null;
  /** When the agent was last at work, as the transcript shows; `null` = it does not. */
  readonly workedMs: number | null;
  /** Why nobody is at work, as the transcript or an open check shows; `null` = somebody may be. */
  readonly idleCause: IdleCause | null;
  /** Is the program of the session still running? `null` = unknown. */
  readonly isAlive: boolean | null;
  /** The caller runs in the same program, and that program works on one session at a time. */
  readonly isOwnProgram: boolean;
};

/** A program that writes nothing for so long works on nothing: hosts end their tools, or report on them, sooner. */
const SILENT_MS_MAX = 10 * 60_000;

/** A host records a failed turn shortly after its hook has reported it; anything written later is work. */
const FAILURE_SETTLES_MS = 5000;

/**
 * How long ago the agent of another session was active, in milliseconds; `null` = nobody is at work there, so the loop is free: it waits, its
 * turn failed or was broken off, its session or the program has ended, its transcript was not written for minutes, or there was no sign of it
 * for longer than an iteration may take.
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

/** Has the agent of this session stopped, so that only a message begins its next turn? Of a loop that the user paused nobody knows. */
export function isAgentIdle({ status, pause }: State): boolean {
  return status === 'halted' || (status === 'paused' && pause?.cause !== 'user');
}

/** How long ago the agent was last at work; `undefined` = nothing shows it. */
export function idleMsIn({ nowMs, workedMs, writtenMs }: SessionSigns): number | undefined {
  const seen = workedMs ?? writtenMs;
  return seen === null ? undefined : Math.max(0, nowMs - seen);
}

/** The turn failed, and nothing suggests another one since. */
function isFailed({ plan, lastTrouble }: State, { changedMs, writtenMs }: SessionSigns): boolean {
  const isSettled = (writtenMs ?? 0) < changedMs + FAILURE_SETTLES_MS;
  return plan.rerun && lastTrouble?.code === 'turn-failed' && isSettled;
}

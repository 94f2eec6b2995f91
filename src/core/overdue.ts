import type { ClockReading } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import { runningMsAt } from './running-time.ts';

/** Sent to an agent whose tools are refused because its iteration is overdue. */
export const TIME_IS_UP =
  '[SYSTEM REMINDER - ITERATION TIMEOUT]\nThe time for this iteration is used up. No more tools will run. Say what is done and what is left, then stop.';

/** Longer than any iteration: the default for a loop in a session. A number, because the spec is JSON. */
export const NO_ITERATION_TIMEOUT_MS: number = Number.MAX_SAFE_INTEGER;

/** Does this loop limit the time of an iteration? Only then do tool calls have to be checked. Frozen with the spec. */
export function isTimed({ timing }: Pick<Spec, 'timing'>): boolean {
  return timing.iterationTimeoutMs < NO_ITERATION_TIMEOUT_MS;
}

/**
 * How far the current iteration is past its time; `null` = it is not. An outer driver ends such a turn itself. In a session the host owns
 * the turn, so from then on its tools are refused, which ends it.
 */
export function overdueMs(state: State, clock: ClockReading, iterationTimeoutMs: number): number | null {
  if (state.status !== 'running' || state.phase !== 'working') return null;
  const over = runningMsAt(state, clock) - state.plan.runningMs - iterationTimeoutMs;
  return over >= 0 ? over : null;
}

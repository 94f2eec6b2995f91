import type { ClockReading } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import { runningMsAt } from './running-time.ts';

/** What an agent is told whose tools are refused because its iteration is overdue. */
export const TIME_IS_UP =
  '[SYSTEM REMINDER - ITERATION TIMEOUT]\nThe time for this iteration is used up, and no tool is run any more. Say what is done and what is left, and stop.';

/** No iteration is ever this long: what a loop in a session gets unless someone asks for a timeout. A number, because the spec is JSON. */
export const NO_ITERATION_TIMEOUT_MS: number = Number.MAX_SAFE_INTEGER;

/** Has an iteration of this loop a time at all? Only then a tool has to be asked about. It is frozen with the spec. */
export function isTimed({ timing }: Pick<Spec, 'timing'>): boolean {
  return timing.iterationTimeoutMs < NO_ITERATION_TIMEOUT_MS;
}

/**
 * How long the current iteration is past its time; `null` = it is not. An outer driver ends such a turn itself. In a session the host
 * owns the turn: there its tools are refused from then on, which ends it.
 */
export function overdueMs(state: State, clock: ClockReading, iterationTimeoutMs: number): number | null {
  if (state.status !== 'running' || state.phase !== 'working') return null;
  const over = runningMsAt(state, clock) - state.plan.runningMs - iterationTimeoutMs;
  return over >= 0 ? over : null;
}

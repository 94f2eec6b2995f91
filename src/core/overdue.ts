import type { ClockReading } from './evidence.ts';
import type { State } from './loop.ts';
import { runningMsAt } from './running-time.ts';

/**
 * How long the current iteration is past its time; `null` = it is not. An outer driver ends such a turn itself. In a session the host
 * owns the turn: there its tools are refused from then on, which ends it.
 */
export function overdueMs(state: State, clock: ClockReading, iterationTimeoutMs: number): number | null {
  if (state.status !== 'running' || state.phase !== 'working') return null;
  const over = runningMsAt(state, clock) - state.plan.runningMs - iterationTimeoutMs;
  return over >= 0 ? over : null;
}

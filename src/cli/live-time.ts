import { runningMsAt } from '../core/running-time.ts';
import { liveMsIn } from '../core/session-activity.ts';
import type { Loaded } from '../engine/ports.ts';
import { systemClock } from '../system/clock.ts';
import { driverOf } from '../system/driver-process.ts';
import type { SeenOfSession } from '../views/standstill.ts';

/** The time that a live driver has worked on the loop since its last event. In a session, only the transcript shows it. */
export function liveMsOf({ spec, state }: Loaded, seen: SeenOfSession = {}): number {
  if (state.status !== 'running') return 0;
  if (spec.driver === 'session') return liveMsIn(state, seen, systemClock().read());
  return driverOf(state)?.alive === true ? runningMsAt(state, systemClock().read()) - state.runningMs : 0;
}

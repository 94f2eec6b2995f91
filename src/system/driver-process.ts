import type { State } from '../core/loop.ts';
import { isWorkerAlive } from './worker-identity.ts';

/** The process that holds the lease of a loop. `alive: null` = it is on another machine, and nothing here can look at it. */
export type DriverProcess = { readonly pid: number; readonly machine: string; readonly alive: boolean | null };

/** `null` = no process holds the lease. */
export function driverOf({ worker }: Pick<State, 'worker'>): DriverProcess | null {
  if (worker === null) return null;
  const alive = isWorkerAlive(worker);
  return { pid: worker.pid, machine: worker.machine, alive: alive === 'elsewhere' ? null : alive };
}

import type { State } from '../core/loop.ts';
import { isWorkerAlive } from './worker-identity.ts';

/** The process that holds the lease of a loop. `alive: null` = it is on another machine, where it cannot be checked. */
export type DriverProcess = { readonly pid: number; readonly machine: string; readonly alive: boolean | null };

/** The process that waits for a person in a loop of a session; `null` = there is none. */
export function watcherOf({ watcher }: Pick<State, 'watcher'>): DriverProcess | null {
  return watcher === undefined ? null : driverOf({ worker: watcher });
}

/** `null` = no process holds the lease. */
export function driverOf({ worker }: Pick<State, 'worker'>): DriverProcess | null {
  if (worker === null) return null;
  const alive = isWorkerAlive(worker);
  return { pid: worker.pid, machine: worker.machine, alive: alive === 'elsewhere' ? null : alive };
}

/** Will a process continue the session of this loop by itself? Only if that process is alive. */
export function isBroughtBack(state: Pick<State, 'watcher'>): boolean {
  const watcher = watcherOf(state);
  return watcher !== null && watcher.alive !== false;
}

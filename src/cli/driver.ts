import type { State } from '../core/loop.ts';
import type { LoopView } from '../views/loop-view.ts';
import { viewOf } from '../views/loop-view.ts';
import type { Loaded } from '../engine/ports.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';

/** Who holds the lease, and whether that process lives; `null` = it is on another machine and cannot be asked from here. */
export function driverOf(
  state: State,
): { readonly pid: number; readonly machine: string; readonly alive: boolean | null } | null {
  if (state.worker === null) return null;
  const alive = isWorkerAlive(state.worker);
  return { pid: state.worker.pid, machine: state.worker.machine, alive: alive === 'elsewhere' ? null : alive };
}

export function viewWithDriver(loaded: Loaded): LoopView {
  const driver = driverOf(loaded.state);
  return driver === null ? viewOf(loaded) : { ...viewOf(loaded), driver };
}

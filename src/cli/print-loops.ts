import type { ListFilter, Loaded } from '../engine/ports.ts';
import { iterationOf } from '../core/loop.ts';
import { oneLine } from '../views/printable.ts';
import { driverOf } from '../system/driver-process.ts';
import type { LoopView } from '../views/loop-view.ts';
import { viewOf } from '../views/loop-view.ts';
import { say, sayJson } from './io.ts';
import type { World } from './services.ts';

const GOAL_CHARS_MAX = 70;

type ListRequest = { readonly filter: ListFilter; readonly json: boolean; readonly none: string };

/** Loops as a table for people or as `{"loops":[…]}` for scripts. */
export async function printLoops(world: World, { filter, json, none }: ListRequest): Promise<number> {
  const loops = oldestFirst((await world.services.store()).list(filter));
  if (json) sayJson(world.stdout, { loops: loops.map(viewWithDriver) });
  else say(world.stdout, ...(loops.length === 0 ? [none] : loops.map(rowOf)));
  return 0;
}

export function viewWithDriver(loaded: Loaded): LoopView {
  const driver = driverOf(loaded.state);
  return driver === null ? viewOf(loaded) : { ...viewOf(loaded), driver };
}

export function oldestFirst(loops: readonly Loaded[]): readonly Loaded[] {
  return loops.toSorted((a, b) => (a.state.startedAt < b.state.startedAt ? -1 : 1));
}

function rowOf({ spec, state }: Loaded): string {
  const { outcome } = state;
  const word =
    outcome?.kind === 'completed'
      ? outcome.verified
        ? 'verified'
        : 'unverified'
      : outcome?.kind === 'halted'
        ? outcome.guard
        : (state.pause?.cause ?? '');
  const iteration = `iteration ${iterationOf(state)}`;
  return `${state.loop}  ${state.status.padEnd(9)}  ${word.padEnd(14)}  ${iteration.padEnd(13)}  ${oneLine(spec.goal, GOAL_CHARS_MAX)}`;
}

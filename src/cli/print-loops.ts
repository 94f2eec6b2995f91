import type { FileEnd } from '../core/loop.ts';
import type { ListFilter, Loaded } from '../engine/ports.ts';
import { oneLine } from '../views/printable.ts';
import { driverOf } from '../system/driver-process.ts';
import { iterationCountOf } from '../views/iteration-count.ts';
import type { LoopView } from '../views/loop-view.ts';
import { viewOf } from '../views/loop-view.ts';
import { usageWords } from '../views/usage-words.ts';
import { say, sayJson } from './io.ts';
import { shownLoops } from './shown-loops.ts';
import type { World } from './services.ts';

const GOAL_CHARS_MAX = 70;

type ListRequest = { readonly filter: ListFilter; readonly json: boolean; readonly none: string };

/** Loops as a table for people or as `{"loops":[…]}` for scripts. */
export async function printLoops(world: World, { filter, json, none }: ListRequest): Promise<number> {
  const loops = await shownLoops(oldestFirst((await world.services.store()).list(filter)), world);
  if (json) sayJson(world.stdout, { loops: loops.map(viewWithDriver) });
  else say(world.stdout, ...(loops.length === 0 ? [none] : tableOf(loops)));
  return 0;
}

export function viewWithDriver(loaded: Loaded): LoopView {
  const driver = driverOf(loaded.state);
  return driver === null ? viewOf(loaded) : { ...viewOf(loaded), driver };
}

export function oldestFirst(loops: readonly Loaded[]): readonly Loaded[] {
  return loops.toSorted((a, b) => (a.state.startedAt < b.state.startedAt ? -1 : 1));
}

function fileEndWord(because: FileEnd | undefined): string {
  if (because === undefined) return '';
  return because === 'file-removed' ? 'file removed' : 'switched off';
}

/** What was used has a column only where some agent tells it. */
function tableOf(loops: readonly Loaded[]): readonly string[] {
  const used = loops.map(({ state }) => usageWords(state.usage).join(' '));
  const width = Math.max(...used.map((words) => words.length));
  return loops.map((loaded, index) => tableRow(loaded, width === 0 ? '' : `${(used[index] ?? '').padEnd(width)}  `));
}

function tableRow({ spec, state }: Loaded, used: string): string {
  const { outcome } = state;
  const word =
    outcome?.kind === 'completed'
      ? outcome.verified
        ? 'verified'
        : 'unverified'
      : outcome?.kind === 'halted'
        ? outcome.guard
        : ((outcome?.kind === 'cancelled' ? fileEndWord(outcome.because) : state.pause?.cause) ?? '');
  const iteration = `iteration ${iterationCountOf({ spec, state }).iteration}`;
  return `${state.loop}  ${state.status.padEnd(9)}  ${word.padEnd(14)}  ${iteration.padEnd(13)}  ${used}${oneLine(spec.goal, GOAL_CHARS_MAX)}`;
}

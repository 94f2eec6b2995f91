import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { ListFilter, Loaded } from '../engine/ports.ts';
import { driverOf } from '../system/driver-process.ts';
import { projectRoot, realDirectory } from '../system/project.ts';
import type { TableRow } from '../terminal/loop-table.ts';
import { loopTable } from '../terminal/loop-table.ts';
import type { LoopView } from '../views/loop-view.ts';
import { viewOf } from '../views/loop-view.ts';
import type { SeenOfSession } from '../views/standstill.ts';
import { standstillOf } from '../views/standstill.ts';
import { oneLine, PATH_CHARS_MAX } from '../views/printable.ts';
import { counted } from '../views/sentences.ts';
import type { Output } from './io.ts';
import { say, sayJson } from './io.ts';
import type { Selection } from './list-flags.ts';
import { selectLoops } from './list-flags.ts';
import { seenOfAll } from './seen-session.ts';
import { shownLoops } from './shown-loops.ts';
import type { World } from './services.ts';

/** Nothing wraps lines in a pipe, so there is room for every column. */
const PIPE_COLUMNS = 160;

type ListRequest = {
  readonly filter: ListFilter;
  readonly selection: Selection;
  readonly json: boolean;
  /** Printed when there are no loops at all. */
  readonly none: string;
};

/** Loops as a table for people or as `{"loops":[…]}` for scripts. */
export async function printLoops(world: World, { filter, selection, json, none }: ListRequest): Promise<number> {
  const all = oldestFirst((await world.services.store()).list(filter));
  const fitting = selectLoops(all, selection, world.cwd);
  if (fitting.length === 0) requireProject(selection, world.cwd);
  const loops = await shownLoops(fitting.slice(-(selection.limit ?? fitting.length)), world);
  const { stdout } = world;
  const seen = await seenOfAll(loops, world);
  if (json) {
    sayJson(stdout, { loops: loops.map((loaded, at) => viewWithDriver(loaded, seen[at])) });
    return 0;
  }
  if (loops.length === 0)
    say(stdout, all.length === 0 ? none : `no loop matches (${all.length} without these filters)`);
  else printTable(loops, stdout, seen);
  const hidden = fitting.length - loops.length;
  if (hidden > 0) say(stdout, `${counted(hidden, 'older loop')} not shown`);
  return 0;
}

/** The project of a loop may have been removed since; a folder without loops that is missing too is a typo. */
function requireProject({ project }: Selection, cwd: string): void {
  if (project === undefined || project === '' || realDirectory(path.resolve(cwd, project)) !== undefined) return;
  const shown = oneLine(path.resolve(cwd, project), PATH_CHARS_MAX);
  throw new Fault(
    'PROJECT_MISSING',
    `Cannot list the loops of ${shown}: there is no such directory. Correct --project.`,
  );
}

/** `seen`: what is known about the session of each loop. */
export function printTable(loops: readonly Loaded[], stdout: Output, seen: readonly SeenOfSession[] = []): void {
  const columns = stdout.isTTY ? stdout.columns() : PIPE_COLUMNS;
  const rows = withProjects(loops).map((row, at) => ({ ...row, still: standstillOf(row.state, seen[at]) }));
  say(stdout, ...loopTable(rows, { columns, nowMs: Date.now() }));
}

export function viewWithDriver(loaded: Loaded, seen?: SeenOfSession): LoopView {
  const driver = driverOf(loaded.state);
  const view = viewOf(loaded, seen);
  return driver === null ? view : { ...view, driver };
}

export function oldestFirst(loops: readonly Loaded[]): readonly Loaded[] {
  return loops.toSorted((a, b) => (a.state.startedAt < b.state.startedAt ? -1 : 1));
}

/** A project is named by its folder, and by the folder above it too if two projects have the same name. */
function withProjects(loops: readonly Loaded[]): readonly TableRow[] {
  const roots = new Map([...new Set(loops.map(({ state }) => state.cwd))].map((cwd) => [cwd, projectRoot(cwd)]));
  const all = [...new Set(roots.values())];
  const nameOf = (root: string): string => {
    const name = path.basename(root) || root;
    const isShared = all.some((other) => other !== root && path.basename(other) === name);
    return isShared ? path.join(path.basename(path.dirname(root)), name) : name;
  };
  const names = new Map(all.map((root) => [root, nameOf(root)]));
  return loops.map(({ spec, state }) => ({ spec, state, project: names.get(roots.get(state.cwd) ?? '') ?? '' }));
}

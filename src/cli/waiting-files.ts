import { Fault } from '../core/fault.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import type { WaitingLoop } from '../hook/hook-world.ts';
import type { BrokenFile, FreeFiles, WaitingFile } from '../setup/waiting-files.ts';
import {
  cancelWaitingFile,
  chooseWaitingFile,
  findFilesWaitingFor,
  findFreeFilesAround,
  unreadableFileOf,
} from '../setup/waiting-files.ts';
import { oneLine } from '../views/printable.ts';
import { isInProjectOf, projectDirectory } from '../system/project.ts';
import type { World } from './services.ts';

const TEXT_CHARS_MAX = 100;
const WHY_CHARS_MAX = 300;

/** The state files of this project that belong to no open loop. */
export function freeStateFiles({ cwd, services }: Pick<World, 'cwd' | 'services'>): Promise<FreeFiles> {
  return findFreeFilesAround(projectDirectory(undefined, cwd), services);
}

/** The files whose loop this session would drive from its next stop on, for the hook. */
export async function waitingLoops(
  session: SessionRef,
  project: string,
  world: World,
): Promise<readonly WaitingLoop[]> {
  const found = await findFilesWaitingFor(session, project, world.services);
  return found.map((each) => ({
    file: each.place.file,
    lines: waitingLines(each),
    cancel: () => cancelWaitingFile(each, world.services),
  }));
}

export function waitingLines({ dialect, place, reading }: WaitingFile): readonly string[] {
  return [
    `${oneLine(place.file, TEXT_CHARS_MAX)}  begins at the next stop (${dialect})`,
    `  goal:      ${oneLine(reading.goal, TEXT_CHARS_MAX)}`,
    `  project:   ${place.cwd}`,
    `  session:   ${reading.session === null ? 'the first that stops in the project' : oneLine(reading.session, TEXT_CHARS_MAX)}`,
  ];
}

/** The file that `tireless cancel` or `pause` means when it does not mean a loop; `undefined` = a loop is meant. Throws `LOOP_AMBIGUOUS`. */
export async function waitingFileMeant(given: string | undefined, world: World): Promise<WaitingFile | undefined> {
  const { waiting: files, broken } = await freeStateFiles(world);
  const open = given === undefined ? (await world.services.store()).list({ ended: false }) : [];
  const choice = chooseWaitingFile(given, files, open);
  if (choice.kind === 'file') return choice.file;
  if (choice.kind === 'loop') {
    const isLoopHere = open.some(({ state }) => isInProjectOf(world.cwd)(state.cwd));
    const meant = broken.find(({ file }) => (given === undefined ? !isLoopHere : file === given));
    if (meant !== undefined) throw new Fault('STATE_FILE_INVALID', `${unreadable(meant)}. Correct it or delete it.`);
    return undefined;
  }
  throw new Fault(
    'LOOP_AMBIGUOUS',
    `${files.length} state files of this project are active: ${files.map(({ place }) => oneLine(place.file, TEXT_CHARS_MAX)).join(', ')}. Name one of them.`,
  );
}

/** After a command about a loop whose file could not be written, because it cannot be read; empty = it can. */
export async function unwrittenLines(
  loaded: Loaded,
  { services }: Pick<World, 'services'>,
): Promise<readonly string[]> {
  const broken = await unreadableFileOf(loaded, services);
  return broken === null ? [] : [`its file ${unreadable(broken)}, so it was left as it is; correct it or delete it`];
}

function unreadable({ file, why }: BrokenFile): string {
  return `${oneLine(file, TEXT_CHARS_MAX)} cannot be read (${oneLine(why, WHY_CHARS_MAX)})`;
}

/** `withName`: the file has to be named, because no loop is shown next to it. */
export function brokenLine({ file, why }: BrokenFile, { withName }: { readonly withName: boolean }): string {
  const what = `cannot be read (${oneLine(why, WHY_CHARS_MAX)}), so the agent may stop; correct it or delete it`;
  return withName ? `${oneLine(file, TEXT_CHARS_MAX)}  ${what}` : `  file:      ${what}`;
}

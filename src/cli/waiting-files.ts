import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { stateFilesOf } from '../dialects/state-files.ts';
import type { DialectPlace } from '../engine/dialect-loop.ts';
import { cancelWaiting, obeyFile, waitingIn } from '../engine/obey-file.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { findBelow, namesIn } from '../system/folder.ts';
import { oneLine } from '../views/printable.ts';
import { projectDirectory } from './project.ts';
import type { World } from './services.ts';

/** An active state file in the project whose loop begins at the next stop of an agent. */
export type WaitingFile = {
  readonly dialect: string;
  readonly place: DialectPlace;
  readonly reading: FileReading & { kind: 'loop' };
};

const TEXT_CHARS_MAX = 100;

/** Loads the code of a dialect only where one of its files stands. */
export async function waitingFiles({
  cwd,
  services,
}: Pick<World, 'cwd' | 'services'>): Promise<readonly WaitingFile[]> {
  const project = projectDirectory(undefined, cwd);
  const list = (folder: string): readonly string[] => namesIn(path.join(project, folder));
  const found: WaitingFile[] = [];
  for (const name of DIALECT_NAMES) {
    if (!DIALECTS[name].files.some((file) => findBelow(project, file.split('/')) !== undefined)) continue;
    const dialect = await services.dialect(name);
    const { effects } = await services.session();
    for (const file of stateFilesOf(dialect, '', list)) {
      const live = { dialect, path: path.join(project, file) };
      const reading = await runAsync(waitingIn(live), effects);
      if (reading !== null) found.push({ dialect: name, place: { live, cwd: project, file, session: null }, reading });
    }
  }
  return found;
}

export function waitingLines({ dialect, place, reading }: WaitingFile): readonly string[] {
  return [
    `${oneLine(place.file, TEXT_CHARS_MAX)}  begins at the next stop (${dialect})`,
    `  goal:      ${oneLine(reading.goal, TEXT_CHARS_MAX)}`,
    `  project:   ${place.cwd}`,
    `  session:   ${reading.session === null ? 'the first that stops in the project' : oneLine(reading.session, TEXT_CHARS_MAX)}`,
  ];
}

/**
 * What `tireless cancel` means when it means no loop: the file that was named, or the only one of this project where no loop is open.
 * `undefined` = a loop is meant. Throws `LOOP_AMBIGUOUS`.
 */
export async function waitingFileMeant(given: string | undefined, world: World): Promise<WaitingFile | undefined> {
  const files = await waitingFiles(world);
  if (given !== undefined) return files.find(({ place }) => place.file === given);
  const open = (await world.services.store()).list({ ended: false });
  const [first, ...others] = files;
  if (first === undefined || open.some(({ state }) => state.cwd === first.place.cwd)) return undefined;
  if (others.length === 0) return first;
  throw new Fault(
    'LOOP_AMBIGUOUS',
    `${files.length} state files of this project are active: ${files.map(({ place }) => oneLine(place.file, TEXT_CHARS_MAX)).join(', ')}. Name one of them.`,
  );
}

export async function cancelWaitingFile({ place, reading }: WaitingFile, { services }: World): Promise<Loaded> {
  const { effects } = await services.session();
  return runAsync(cancelWaiting(place, reading), effects);
}

/** The open loops, after those that live in a file have obeyed it. */
export async function openLoopsNow({ services }: World): Promise<readonly Loaded[]> {
  const store = await services.store();
  const open = store.list({ ended: false });
  for (const loaded of open) {
    const live = loaded.spec.dialect === undefined ? undefined : await services.liveFile(loaded.spec, loaded.state.cwd);
    if (live !== undefined) await runAsync(obeyFile(loaded, live), (await services.session()).effects);
  }
  return open.some(({ spec }) => spec.dialect !== undefined) ? store.list({ ended: false }) : open;
}

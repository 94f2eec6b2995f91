import path from 'node:path';
import type { FileReading } from '../core/foreign-file.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { stateFilesOf } from '../dialects/state-files.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { DialectPlace } from '../engine/loop-of-file.ts';
import { mayDriveFile } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import { readLiveFile } from '../engine/live-file.ts';
import { endWithFile, postToWaiting, readWaitingFile } from '../engine/obey-file.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { findBelow, namesIn } from '../system/folder.ts';
import { projectRoot } from '../system/project.ts';
import type { SetupWorld } from './setup-world.ts';

/** An active state file in the project whose loop begins at the next stop of an agent. */
export type WaitingFile = {
  readonly dialect: string;
  readonly place: DialectPlace;
  readonly reading: FileReading & { kind: 'loop' };
};

/** A state file that cannot be read. `loop`: the loop that lives in it, if any. */
export type BrokenFile = {
  readonly loop: LoopId | null;
  readonly dialect: string;
  readonly file: string;
  readonly why: string;
};

type Services = Pick<SetupWorld['services'], 'dialect' | 'session'>;

type FileServices = Pick<SetupWorld['services'], 'session' | 'store'> & {
  readonly liveFile: (spec: Spec, cwd: string) => Promise<LiveFile | undefined>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
};

type StateFile = { readonly dialect: DialectName; readonly place: DialectPlace };

/** Loads the code of a dialect only if one of its files exists. `project`: one real path. */
export async function findStateFiles(
  project: string,
  services: Pick<Services, 'dialect'>,
): Promise<readonly StateFile[]> {
  const list = (folder: string): readonly string[] => namesIn(path.join(project, folder));
  const found: StateFile[] = [];
  for (const name of DIALECT_NAMES) {
    if (!DIALECTS[name].files.some((file) => findBelow(project, file.split('/')) !== undefined)) continue;
    const dialect = await services.dialect(name);
    for (const file of stateFilesOf(dialect, '', list)) {
      const live = { dialect, path: path.join(project, file) };
      found.push({ dialect: name, place: { live, cwd: project, file, session: null } });
    }
  }
  return found;
}

export type FreeFiles = { readonly waiting: readonly WaitingFile[]; readonly broken: readonly BrokenFile[] };

/** The files of a project that belong to no open loop. */
export async function findFreeFiles(project: string, services: Services): Promise<FreeFiles> {
  const waiting: WaitingFile[] = [];
  const broken: BrokenFile[] = [];
  for (const { dialect, place } of await findStateFiles(project, services)) {
    const { effects } = await services.session();
    const reading = await runAsync(readWaitingFile(place.live), effects);
    if (reading?.kind === 'invalid') broken.push({ loop: null, dialect, file: place.file, why: reading.why });
    else if (reading !== null) waiting.push({ dialect, place, reading });
  }
  return { waiting, broken };
}

/** The files whose loop this session would drive from its next stop on. */
export async function findFilesWaitingFor(
  session: SessionRef,
  project: string,
  services: Services,
): Promise<readonly WaitingFile[]> {
  return (await findFreeFiles(project, services)).waiting.filter(({ reading }) => mayDriveFile(reading, session));
}

/** The files that belong to no open loop, in this folder and at the root of the project. `here`: one real path. */
export async function findFreeFilesAround(here: string, services: Services): Promise<FreeFiles> {
  const found: FreeFiles[] = [];
  for (const project of new Set([here, projectRoot(here)])) found.push(await findFreeFiles(project, services));
  return { waiting: found.flatMap(({ waiting }) => waiting), broken: found.flatMap(({ broken }) => broken) };
}

export type WaitingChoice =
  | { readonly kind: 'file'; readonly file: WaitingFile }
  /** The command means no file. */
  | { readonly kind: 'loop' }
  | { readonly kind: 'ambiguous' };

/** Which file `cancel` or `pause` means: the named one, or the only one of a project without an open loop. */
export function chooseWaitingFile(
  given: string | undefined,
  files: readonly WaitingFile[],
  open: readonly Loaded[],
): WaitingChoice {
  if (given !== undefined) {
    const file = files.find(({ place }) => place.file === given);
    return file === undefined ? { kind: 'loop' } : { kind: 'file', file };
  }
  const [first, ...others] = files;
  if (first === undefined || open.some(({ state }) => state.cwd === first.place.cwd)) return { kind: 'loop' };
  return others.length === 0 ? { kind: 'file', file: first } : { kind: 'ambiguous' };
}

/** Ends the loop of a file before its first stop. */
export async function cancelWaitingFile({ place, reading }: WaitingFile, services: FileServices): Promise<Loaded> {
  const { effects } = await services.session();
  const loaded = await runAsync(postToWaiting(place, reading, { kind: 'cancel-requested' }), effects);
  const { settle } = await services.dialectExtras(place.live.dialect.name);
  settle?.(place.cwd, { kind: 'cancel-requested' }, { decision: { kind: 'cancel' }, loaded });
  return loaded;
}

/** Pauses the loop of a file before its first stop. */
export async function pauseWaitingFile({ place, reading }: WaitingFile, services: FileServices): Promise<Loaded> {
  const { effects } = await services.session();
  return await runAsync(postToWaiting(place, reading, { kind: 'pause-requested' }), effects);
}

/** Why the state file of an open loop cannot be read; `null` = it can, or there is none. */
export async function brokenFileOf(loaded: Loaded, services: FileServices): Promise<BrokenFile | null> {
  return isEnded(loaded.state) ? null : await unreadableFileOf(loaded, services);
}

/** The same for a loop that may have ended. */
export async function unreadableFileOf({ spec, state }: Loaded, services: FileServices): Promise<BrokenFile | null> {
  const live = await services.liveFile(spec, state.cwd);
  if (live === undefined) return null;
  const { reading } = await runAsync(readLiveFile(live), (await services.session()).effects);
  if (reading?.kind !== 'invalid') return null;
  return { loop: state.loop, dialect: live.dialect.name, file: spec.dialect?.file ?? '', why: reading.why };
}

/** The open loops, after changes to the state files of this project have been applied to them. */
export async function openLoopsNow(
  isHere: (directory: string) => boolean,
  services: FileServices,
): Promise<readonly Loaded[]> {
  const store = await services.store();
  const open = store.list({ ended: false });
  const inFiles = open.filter(({ spec, state }) => spec.dialect !== undefined && isHere(state.cwd));
  for (const loaded of inFiles) {
    const live = await services.liveFile(loaded.spec, loaded.state.cwd);
    if (live !== undefined) await runAsync(endWithFile(loaded, live), (await services.session()).effects);
  }
  return inFiles.length > 0 ? store.list({ ended: false }) : open;
}

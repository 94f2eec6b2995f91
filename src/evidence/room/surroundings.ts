/**
 * The room is inside other folders, and many runners look for settings in all of them: `.cargo/config.toml`, `pytest.ini`, `package.json`. Such a
 * file that existed at the start is part of the machine; one that was added or changed since cannot be kept out of the room, so it is reported. The
 * same applies to settings folders that a variable names, such as `CARGO_HOME`.
 */
import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import { findFiles } from '../glob-walk.ts';
import { JUDGE_ABOVE, JUDGE_FOLDERS } from '../judge/registry.ts';
import { hashStart } from '../hash-start.ts';

/** From the full path of a file to its content. */
export type Surroundings = Readonly<Record<string, string>>;

export type RoomGround = {
  /** Where rooms are made. */
  readonly rooms: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const FILES_MAX = 1000;
const CHANGES_MAX = 20;
const PACKAGES = 'node_modules';

export function readSurroundings({ rooms, environment }: RoomGround): Surroundings {
  const found: Record<string, string> = {};
  for (const folder of foldersAbove(rooms)) {
    addFiles(found, folder, JUDGE_ABOVE);
    const packages = path.join(folder, PACKAGES);
    const names = packagesIn(packages);
    if (names !== undefined) found[packages] = names;
  }
  for (const [variable, patterns] of JUDGE_FOLDERS) {
    const folder = environment[variable];
    if (folder !== undefined && path.isAbsolute(folder)) addFiles(found, folder, patterns);
  }
  return found;
}

/** `kept`: as stored at the start. `isOwn`: what the agent may change there, if rooms are made inside the project. */
export function changedSurroundings(
  kept: Surroundings,
  place: RoomGround,
  isOwn: (file: string) => boolean,
): readonly JudgeChange[] {
  const now = readSurroundings(place);
  return [...new Set([...Object.keys(kept), ...Object.keys(now)])]
    .filter((file) => kept[file] !== now[file] && !isOwn(file))
    .toSorted()
    .slice(0, CHANGES_MAX)
    .map((file) =>
      aChange(file, kept[file] === undefined ? 'added' : now[file] === undefined ? 'deleted' : 'modified'),
    );
}

/**
 * Files that a run left in the folder that contains its room, where nothing of this kind is created otherwise. Paths are relative to the
 * project, so they are the same for every room.
 */
export function addedAround(room: string): readonly JudgeChange[] {
  const found: Record<string, string> = {};
  addFiles(found, room, JUDGE_ABOVE);
  const names = packagesIn(path.join(room, PACKAGES));
  return [...Object.keys(found), ...(names === undefined ? [] : [path.join(room, PACKAGES)])].map((file) =>
    aChange(`../${path.relative(room, file)}`, 'added'),
  );
}

function aChange(file: string, change: JudgeChange['change']): JudgeChange {
  return { path: file, change, part: 'read by programs in the room', stands: true };
}

function foldersAbove(rooms: string): readonly string[] {
  // A link on the path can be resolved only if the folder exists.
  ignoringErrno(() => mkdirSync(rooms, { recursive: true, mode: 0o700 }));
  const folders = [ignoringErrno(() => realpathSync(rooms)) ?? path.resolve(rooms)];
  for (let folder = folders[0] ?? ''; path.dirname(folder) !== folder; folder = path.dirname(folder))
    folders.push(path.dirname(folder));
  return folders;
}

function addFiles(found: Record<string, string>, folder: string, patterns: readonly string[]): void {
  for (const name of findFiles(folder, patterns).paths.slice(0, FILES_MAX)) {
    const file = path.join(folder, name);
    found[file] = hashOf(file);
  }
}

function hashOf(file: string): string {
  const read = hashStart(file);
  return read.kind === 'hash' ? read.hash : read.kind;
}

/** Its packages and when each was changed; caches do not count. */
function packagesIn(folder: string): string | undefined {
  const names = ignoringErrno(() => readdirSync(folder))?.filter((name) => !name.startsWith('.') || name === '.bin');
  return names
    ?.toSorted()
    .map((name) => `${name} ${ignoringErrno(() => lstatSync(path.join(folder, name)).ctimeMs) ?? ''}`)
    .join('\n');
}

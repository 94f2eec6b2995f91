/**
 * Dependency folders are ignored by git and too large to copy, so the room links to those of the project. That is correct only while they are as the
 * baseline saw them: each file is identified by size, times and inode, and a change of any of these is a change. (Only the system can set the time of
 * an inode's last change.) A link out of the project, and a path in an editable install of Python, lead to files that the agent can edit as well.
 */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import { readRegular } from '../read-regular.ts';
import { isBelow } from './paths-out.ts';

/** From the path of a file in the folder to its recorded state. */
export type FolderRecord = Readonly<Record<string, string>>;

const FILES_MAX = 400_000;
const CHANGES_MAX = 20;
/** Written by package managers and tools themselves. The room does not have them. */
const OWN_FILES =
  /^(?:\.package-lock\.json|\.yarn-integrity|\.yarn-state\.yml|\.modules\.yaml|\.pnpm-workspace-state.*)$/;
const CACHES = /^\.(?!bin$|pnpm$|store$)/;
const COMPILED = /(?:^|\/)__pycache__\/|\.pyc$/;
const HISTORY = /\/\.git(?:\/|$)/;
const PATHS_BYTES_MAX = 64 * 1024;

/** `null` = it has too many files to record. `root`: of the project, whose own files are not recorded. */
export function recordFolder(folder: string, root: string): FolderRecord | null {
  const record: Record<string, string> = {};
  return walk(folder, '', { folder, root, record, left: FILES_MAX, seen: new Set() }) ? record : null;
}

type Walk = {
  readonly folder: string;
  readonly root: string;
  readonly record: Record<string, string>;
  /** How many more files may be recorded. */
  left: number;
  /** Folders outside of the project. */
  readonly seen: Set<string>;
};

/** `at`: the folder to read; `under`: what its files are called in the record. */
function walk(at: string, under: string, state: Walk): boolean {
  for (const entry of ignoringErrno(() => readdirSync(at, { withFileTypes: true })) ?? []) {
    const file = under === '' ? entry.name : `${under}/${entry.name}`;
    if (isOwn(file)) continue;
    if ((state.left -= 1) < 0) return false;
    const here = path.join(at, entry.name);
    if (entry.isDirectory()) {
      if (!walk(here, file, state)) return false;
      continue;
    }
    state.record[file] = stateOf(here);
    const leads = entry.isSymbolicLink() ? [[here, file] as const] : pathsIn(here, file);
    for (const [to, name] of leads) if (!walkOutside(to, name, state)) return false;
  }
  return true;
}

/** Not a folder of the project, which is work, and not one around it. */
function walkOutside(link: string, name: string, state: Walk): boolean {
  const real = ignoringErrno(() => realpathSync(link));
  if (real === undefined || ignoringErrno(() => statSync(real).isDirectory()) !== true) return true;
  const isNear = isBelow(state.root, real) || isBelow(real, state.root) || isBelow(state.folder, real);
  if (isNear || state.seen.has(real)) return true;
  state.seen.add(real);
  return walk(real, name, state);
}

/** The folders that a `.pth` file adds to Python's path. */
function pathsIn(file: string, name: string): readonly (readonly [string, string])[] {
  if (!name.endsWith('.pth')) return [];
  const read = readRegular(file, PATHS_BYTES_MAX);
  const lines = read.kind === 'bytes' ? read.bytes.toString('utf8').split('\n') : [];
  const folders = lines.map((line) => line.trim()).filter((line) => path.isAbsolute(line));
  return folders.map((folder) => [folder, `${name}:${folder}`]);
}

function isOwn(file: string): boolean {
  const first = file.split('/', 1)[0] ?? '';
  return OWN_FILES.test(file) || CACHES.test(first) || COMPILED.test(file) || HISTORY.test(file);
}

function stateOf(file: string): string {
  const stats = ignoringErrno(() => lstatSync(file));
  if (stats === undefined) return 'gone';
  if (stats.isSymbolicLink()) return `link ${ignoringErrno(() => readlinkSync(file)) ?? ''}`;
  return `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.mode}`;
}

/** The state of a file that the checks themselves write: it differs after each run. */
const WRITTEN = 'written';

/** Files that changed while only the checks ran are theirs. `null` = nothing changed. */
export function withWritten(before: FolderRecord, folder: string, root: string): FolderRecord | null {
  const now = recordFolder(folder, root) ?? before;
  const files = new Set([...Object.keys(before), ...Object.keys(now)]);
  const written = [...files].filter((file) => before[file] !== now[file]);
  if (written.length === 0) return null;
  return { ...before, ...Object.fromEntries(written.map((file) => [file, WRITTEN])) };
}

export type FolderChange = { readonly file: string; readonly change: JudgeChange['change'] };

export type AllowedChanges = {
  /** May this package be new? */
  readonly isDeclared: (entry: string) => boolean;
  /** Does the lock file explain the change? */
  readonly isExplained: (file: string, change: JudgeChange['change']) => boolean;
  /** The root of the project. */
  readonly root: string;
};

export function compareFolder(
  before: FolderRecord,
  folder: string,
  { isDeclared, isExplained, root }: AllowedChanges,
): readonly FolderChange[] {
  const now = recordFolder(folder, root) ?? {};
  const changes: FolderChange[] = [];
  const add = (file: string, change: JudgeChange['change']): boolean => {
    if (!isExplained(file, change)) changes.push({ file, change });
    return changes.length >= CHANGES_MAX;
  };
  for (const [file, state] of Object.entries(before)) {
    if (state === WRITTEN || now[file] === state) continue;
    if (add(file, now[file] === undefined ? 'deleted' : 'modified')) return changes;
  }
  const known = new Set(Object.keys(before).map(entryOf));
  for (const file of Object.keys(now)) {
    if (before[file] !== undefined || isHarmless(file, folder, known, isDeclared)) continue;
    if (add(file, 'added')) return changes;
  }
  return changes;
}

/** The package that a file belongs to: `vitest`, `@scope/name`, `.bin/vitest`. */
export function entryOf(file: string): string {
  const parts = file.split('/');
  return parts.slice(0, /^[@.]/.test(parts[0] ?? '') ? 2 : 1).join('/');
}

/** A new package that the project declares changes nothing that existed before. Its programs link only to new packages. */
function isHarmless(
  file: string,
  folder: string,
  known: ReadonlySet<string>,
  isDeclared: (entry: string) => boolean,
): boolean {
  const entry = entryOf(file);
  if (!entry.startsWith('.bin/')) return !known.has(entry) && isDeclared(entry);
  const target = ignoringErrno(() => readlinkSync(path.join(folder, file)));
  if (target === undefined || known.has(entry)) return false;
  const owner = entryOf(path.posix.normalize(path.posix.join('.bin', target)));
  return !known.has(owner) && !owner.startsWith('..') && isDeclared(owner) && !COMMON_PROGRAMS.has(entry.slice(5));
}

/** A package that ships one of these would run in place of the real one. */
const COMMON_PROGRAMS: ReadonlySet<string> = new Set(
  'node npm npx pnpm yarn bun deno sh bash zsh env python python3 pytest make git cargo go java mvn gradle sed awk grep test true false echo cat ls cp mv rm find xargs'.split(
    ' ',
  ),
);

/** `only`: the packages to link; absent = all. */
type Places = {
  readonly root: string;
  readonly room: string;
  readonly only?: ReadonlySet<string> | undefined;
  readonly under?: string;
};

/**
 * A folder of links to the entries of another one. A link back into the project (a workspace) leads into the room instead, where its files are as a
 * commit would contain them.
 */
export function linkFolder(from: string, to: string, places: Places): void {
  mkdirSync(to, { recursive: true });
  for (const entry of ignoringErrno(() => readdirSync(from, { withFileTypes: true })) ?? []) {
    if (isOwn(entry.name)) continue;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    const isGroup = entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin');
    if (isGroup) linkFolder(source, target, { ...places, under: `${entry.name}/` });
    else if (places.only?.has((places.under ?? '') + entry.name) !== false)
      symlinkSync(destinationOf(source, entry.isSymbolicLink(), places), target);
  }
}

function destinationOf(
  source: string,
  isLink: boolean,
  { root, room }: { readonly root: string; readonly room: string },
): string {
  const real = isLink ? ignoringErrno(() => realpathSync(source)) : undefined;
  if (real === undefined) return source;
  const inside = path.relative(root, real);
  const isOfProject = inside !== '' && !inside.startsWith('..') && !inside.split(path.sep).includes('node_modules');
  return isOfProject ? path.join(room, inside) : source;
}

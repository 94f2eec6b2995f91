/**
 * Dependency folders are ignored by git and too large to copy, so the room links to those of the project. That is correct only while they are as the
 * baseline saw them: each file is identified by size, times and inode, and a change of any of these is a change. (Only the system can set the time of
 * an inode's last change.)
 */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';

/** From the path of a file in the folder to its recorded state. */
export type FolderRecord = Readonly<Record<string, string>>;

const FILES_MAX = 400_000;
const CHANGES_MAX = 20;
/** Written by package managers and tools themselves. The room does not have them. */
const OWN_FILES =
  /^(?:\.package-lock\.json|\.yarn-integrity|\.yarn-state\.yml|\.modules\.yaml|\.pnpm-workspace-state.*)$/;
const CACHES = /^\.(?!bin$|pnpm$|store$)/;
const COMPILED = /(?:^|\/)__pycache__\/|\.pyc$/;

/** `null` = it has too many files to record. */
export function recordFolder(folder: string): FolderRecord | null {
  const record: Record<string, string> = {};
  return walk(folder, '', record, { left: FILES_MAX }) ? record : null;
}

function walk(folder: string, under: string, record: Record<string, string>, allowance: { left: number }): boolean {
  for (const entry of ignoringErrno(() => readdirSync(path.join(folder, under), { withFileTypes: true })) ?? []) {
    const file = under === '' ? entry.name : `${under}/${entry.name}`;
    if (isOwn(file)) continue;
    if ((allowance.left -= 1) < 0) return false;
    if (entry.isDirectory()) {
      if (!walk(folder, file, record, allowance)) return false;
      continue;
    }
    record[file] = stateOf(path.join(folder, file));
  }
  return true;
}

function isOwn(file: string): boolean {
  const first = file.split('/', 1)[0] ?? '';
  return OWN_FILES.test(file) || CACHES.test(first) || COMPILED.test(file);
}

function stateOf(file: string): string {
  const stats = ignoringErrno(() => lstatSync(file));
  if (stats === undefined) return 'gone';
  if (stats.isSymbolicLink()) return `link ${ignoringErrno(() => readlinkSync(file)) ?? ''}`;
  return `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.mode}`;
}

/** The state of a file that the checks themselves write: it differs after each run. */
const WRITTEN = 'written';

/** What changed while only the checks ran is theirs. `null` = nothing changed. */
export function withWritten(before: FolderRecord, folder: string): FolderRecord | null {
  const now = recordFolder(folder) ?? before;
  const files = new Set([...Object.keys(before), ...Object.keys(now)]);
  const written = [...files].filter((file) => before[file] !== now[file]);
  if (written.length === 0) return null;
  return { ...before, ...Object.fromEntries(written.map((file) => [file, WRITTEN])) };
}

export type FolderChange = { readonly file: string; readonly change: JudgeChange['change'] };

export type Allowed = {
  /** May this package be new? */
  readonly isDeclared: (entry: string) => boolean;
  /** Does the lock file explain the change? */
  readonly isExplained: (file: string, change: JudgeChange['change']) => boolean;
};

export function compareFolder(
  before: FolderRecord,
  folder: string,
  { isDeclared, isExplained }: Allowed,
): readonly FolderChange[] {
  const now = recordFolder(folder) ?? {};
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

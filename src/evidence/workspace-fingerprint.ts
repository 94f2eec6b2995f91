import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../system/errno.ts';
import { sha256 } from '../system/ids.ts';
import type { Steps } from './command-steps.ts';
import type { GitStatus } from './git-status.ts';
import { askIgnored, gitRootOf, readStatus } from './git-status.ts';
import { readRegular } from './read-regular.ts';

const FILES_MAX = 20_000;
const DEPTH_MAX = 32;
/** Larger files, and all files once this much has been read, are compared by size and time. */
const HASHED_FILE_BYTES_MAX = 1024 * 1024;
const HASHED_BYTES_MAX = 32 * 1024 * 1024;
const FINGERPRINT_LENGTH = 32;
/** Made by tools, large, and not the agent's work. */
const SKIPPED = new Set([
  '.git',
  '.hg',
  '.svn',
  '.tireless',
  'node_modules',
  'dist',
  'target',
  'coverage',
  '__pycache__',
  '.venv',
  '.cache',
  '.next',
  '.turbo',
  '.gradle',
  '.idea',
]);

/** The remaining budget of a look. */
type Allowance = { files: number; bytes: number; readonly skipped: ReadonlySet<string> };

/**
 * Equal if and, within its bounds, only if the files are equal: in a git repository the commit and the content of everything that differs
 * from it (staged or not), elsewhere path, size and time of every file. `null` = unknown. `except`: one file, relative to `cwd`, to leave
 * out. Takes no lock and writes nothing. One git command; more only if the project is part of a larger repository, or the repository has
 * filters or submodules.
 */
export function* workspaceFingerprint(cwd: string, except?: string): Steps<string | null> {
  const here = ignoringErrno(() => realpathSync(cwd));
  if (here === undefined || !isDirectory(here)) return null;
  const root = gitRootOf(here);
  if (root === undefined) return ofFiles(here, except);
  // git does not see a project inside a larger repository that ignores it (a home directory under version control).
  if (root !== here && (yield askIgnored(here)).exitCode === 0) return ofFiles(here, except);
  const { answer, status } = yield* readStatus(here);
  // No fallback to the files: the next answer may come in time, and two kinds of fingerprint would look like a change.
  if (answer.timedOut) return null;
  if (status === undefined) return ofFiles(here, except);
  const left = except === undefined ? null : path.relative(root, path.resolve(here, except)).split(path.sep).join('/');
  const paths = status.paths.filter((file) => file !== left);
  return ofRepository(root, { ...status, paths }, answer.stdoutBytes);
}

const ALL_FILES_MAX = 100_000;
const NEVER = new Set(['.git', '.hg', '.svn', '.tireless']);

/**
 * Every file of the project by size and times, including ignored files and the output of tools: everything a check depends on besides the
 * work. Bounded as above. `null` = unknown.
 */
export function allFilesFingerprint(cwd: string): string | null {
  const here = ignoringErrno(() => realpathSync(cwd));
  if (here === undefined || !isDirectory(here)) return null;
  return finish('files', walk(here, '', { files: ALL_FILES_MAX, bytes: 0, skipped: NEVER }));
}

function ofRepository(root: string, status: GitStatus, bytes: number): string {
  const allowance = fresh();
  const lines = status.paths.map((file) => `${file}\0${stateOf(path.join(root, file), allowance)}`);
  // A list that was too long to keep whole still has a length.
  const counted = status.head === '' ? [String(bytes)] : [];
  return finish('git', [status.head, ...counted, ...lines]);
}

function ofFiles(directory: string, except?: string): string {
  const left = except === undefined ? [] : [`${path.normalize(except).split(path.sep).join('/')}\0`];
  const lines = walk(directory, '', fresh()).filter((line) => !left.some((start) => line.startsWith(start)));
  return finish('files', lines);
}

function stateOf(file: string, allowance: Allowance): string {
  if (allowance.files <= 0) return 'not-looked-at';
  allowance.files -= 1;
  const stats = ignoringErrno(() => lstatSync(file, { throwIfNoEntry: false }));
  if (stats === undefined) return 'gone';
  if (stats.isSymbolicLink()) return `link ${ignoringErrno(() => readlinkSync(file)) ?? ''}`;
  // A nested repository: git names it, but not its contents.
  if (stats.isDirectory()) return walk(file, '', allowance).join('\n');
  const mode = (stats.mode & 0o100) === 0 ? '' : 'x';
  if (stats.size <= Math.min(HASHED_FILE_BYTES_MAX, allowance.bytes)) {
    allowance.bytes -= stats.size;
    const read = readRegular(file, HASHED_FILE_BYTES_MAX);
    if (read.kind === 'bytes') return `${sha256(read.bytes)} ${mode}`;
  }
  return `${stats.size} ${stats.mtimeMs} ${mode}`;
}

/** Sorted by name, so that the bound always cuts at the same place. Symbolic links are not followed. */
function walk(root: string, under: string, allowance: Allowance): string[] {
  const folder = path.join(root, under);
  const entries = ignoringErrno(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const lines: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (allowance.files <= 0) break;
    if (allowance.skipped.has(entry.name)) continue;
    const name = under === '' ? entry.name : `${under}/${entry.name}`;
    lines.push(...(entry.isDirectory() ? deeper(root, name, allowance) : [lineOf(root, name, entry, allowance)]));
  }
  return lines;
}

function deeper(root: string, under: string, allowance: Allowance): string[] {
  // Folders count too: a tree of empty folders must also end.
  allowance.files -= 1;
  return under.split('/').length > DEPTH_MAX ? [] : walk(root, under, allowance);
}

function lineOf(root: string, name: string, entry: Dirent, allowance: Allowance): string {
  allowance.files -= 1;
  const file = path.join(root, name);
  if (entry.isSymbolicLink()) return `${name}\0link ${ignoringErrno(() => readlinkSync(file)) ?? ''}`;
  const stats = ignoringErrno(() => lstatSync(file));
  return `${name}\0${stats === undefined ? 'gone' : `${stats.size} ${stats.mtimeMs}`}`;
}

function fresh(): Allowance {
  return { files: FILES_MAX, bytes: HASHED_BYTES_MAX, skipped: SKIPPED };
}

function finish(kind: 'git' | 'files', lines: readonly string[]): string {
  return `${kind}:${sha256(lines.join('\n')).slice(0, FINGERPRINT_LENGTH)}`;
}

function isDirectory(file: string): boolean {
  return ignoringErrno(() => statSync(file).isDirectory()) === true;
}

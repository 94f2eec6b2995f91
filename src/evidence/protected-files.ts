import { createHash } from 'node:crypto';
import { readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProtectedFacts } from '../core/evidence.ts';
import type { ProtectedMark } from '../core/loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import { sha256 } from '../system/ids.ts';
import { findFiles } from './glob-walk.ts';
import { readChunks } from './read-regular.ts';

/** How many files get their own line; the rest share one, so that a change in them is still noticed. */
const LINES_MAX = 5000;
/** Once this much has been read, files are compared by size and times. */
const HASHED_BYTES_MAX = 512 * 1024 * 1024;
const CHANGED_MAX = 100;

/** The remaining budget of a look. */
type Allowance = { bytes: number };

/**
 * Compares the protected files with the accepted state. An unreadable or missing file counts as changed: a person settles the doubt. While
 * nothing has been accepted yet (the baseline), nothing is changed.
 */
export function lookAtProtected(cwd: string, globs: readonly string[], accepted: ProtectedMark | null): ProtectedFacts {
  const manifest = manifestOf(cwd, globs);
  const hash = sha256(manifest);
  if (hash === accepted?.hash) return { hash, changed: [] };
  return { hash, changed: accepted === null ? [] : changedBetween(accepted.manifest, manifest), manifest };
}

/** For a failure of ours, which never counts as unchanged. */
export function protectedUnknown(reason: string): ProtectedFacts {
  return { hash: 'unknown', changed: [`(the protected files cannot be looked at: ${reason})`] };
}

function manifestOf(cwd: string, globs: readonly string[]): string {
  const { paths, cut } = findFiles(cwd, globs);
  const allowance: Allowance = { bytes: HASHED_BYTES_MAX };
  const lines = paths.map((file) => `${stateOf(path.resolve(cwd, file), allowance)}  ${escape(file)}`);
  const rest = lines.slice(LINES_MAX);
  const shown =
    rest.length === 0
      ? lines
      : [...lines.slice(0, LINES_MAX), `${sha256(rest.join('\n'))}  (${rest.length} more files)`];
  return [...shown, ...(cut ? ['cut  (the project has more files than are looked at)'] : [])]
    .map((line) => `${line}\n`)
    .join('');
}

/** A word without spaces. A link is represented by itself and by its target: both can be changed. */
function stateOf(file: string, allowance: Allowance): string {
  const target = ignoringErrno(() => readlinkSync(file));
  const content = contentState(file, allowance);
  return target === undefined ? content : `link-${sha256(`${target}\0${content}`)}`;
}

function contentState(file: string, allowance: Allowance): string {
  const stats = ignoringErrno(() => statSync(file));
  if (stats === undefined) return 'gone';
  if (!stats.isFile()) return 'no-file';
  if (stats.size > allowance.bytes) return `large-${sha256(`${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`)}`;
  allowance.bytes -= stats.size;
  return contentOf(file) ?? 'unreadable';
}

function contentOf(file: string): string | undefined {
  const hash = createHash('sha256');
  const reading = readChunks(file, (chunk) => {
    hash.update(chunk);
    return true;
  });
  return reading === 'read' ? hash.digest('hex') : undefined;
}

function changedBetween(before: string, after: string): string[] {
  const old = parseManifest(before);
  const now = parseManifest(after);
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .filter((file) => old.get(file) !== now.get(file))
    .toSorted();
  return changed.length <= CHANGED_MAX
    ? changed
    : [...changed.slice(0, CHANGED_MAX), `(and ${changed.length - CHANGED_MAX} more)`];
}

function parseManifest(manifest: string): Map<string, string> {
  const lines = manifest.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf('  ') + 2), line.slice(0, line.indexOf('  '))]));
}

/** A file name may contain a line end. */
function escape(file: string): string {
  return file.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { errnoOf } from './errno.ts';
import { newId } from './ids.ts';
import { storeFault } from './store-fault.ts';

export { storeFault } from './store-fault.ts';

/** Far above any file of ours; a larger file is not ours, and Node cannot hold it as one string. */
export const READ_BYTES_MAX: number = 256 * 1024 * 1024;

const RENAME_TRIES_MAX = 20;
const RENAME_PAUSE_MS = 15;

/**
 * Replaces a file as a whole: readers see the old bytes or the new ones, never a part. With `durable` the bytes, then the
 * rename, are on disk before this returns. Keeps the mode of the file it replaces and writes through a symbolic
 * link. `timeMs`: the modification time to set, if the file system allows it. Throws a Fault.
 */
export function writeFileAtomic(
  file: string,
  bytes: string | Uint8Array,
  options: { readonly durable: boolean; readonly timeMs?: number },
): void {
  try {
    const target = resolveLink(file);
    replace(target, bytes, { ...options, mode: modeOf(target) });
    if (options.durable) syncDirectory(path.dirname(target));
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/** Could `writeFileAtomic` write these bytes now? The folder may be read-only, or the disk full. Throws the same Fault; leaves nothing behind. */
export function tryWriteBeside(file: string, text: string): void {
  try {
    const temporary = temporaryBeside(resolveLink(file));
    try {
      writeNew(temporary, text, { durable: false, mode: undefined });
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/** Follows no link and waits for no pipe. Windows has no such flags. */
const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Writes in place, for a file of our own that nothing depends on and that carries a checksum: it may be found half written. Creating a new
 * file and renaming it makes a stop take six times as long.
 */
export function overwriteOwn(file: string, text: string): void {
  try {
    const descriptor = openSync(file, OVERWRITE, 0o600);
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.from(text);
      writeAll(descriptor, bytes);
      if (size > bytes.length) ftruncateSync(descriptor, bytes.length);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/**
 * `undefined` = there is no such file. Any other obstacle is a Fault: unreadable never counts as empty. A pipe could wait for a writer forever, and a
 * device may be endless, so they are read only if the user named the file for this read (`pipe`).
 */
export function readTextIfExists(file: string, kind: 'regular' | 'pipe' = 'regular'): string | undefined {
  return readTimedText(file, kind)?.text;
}

/** Also returns when exactly these bytes were written: a moment later the path may be another file. */
export function readTimedText(
  file: string,
  kind: 'regular' | 'pipe' = 'regular',
): { readonly text: string; readonly mtimeMs: number } | undefined {
  try {
    // Without O_NONBLOCK, even opening a pipe blocks.
    const descriptor = openSync(file, kind === 'pipe' ? 'r' : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(descriptor);
      if (kind === 'regular' && !stats.isFile() && !stats.isDirectory())
        throw new Fault(
          'STORE_UNREADABLE',
          `Cannot read ${file}: it is not a regular file. Move it away and try again.`,
        );
      const { size } = stats;
      if (size > READ_BYTES_MAX) {
        throw new Fault(
          'STORE_UNREADABLE',
          `Cannot read ${file}: it has ${size} bytes, more than ${READ_BYTES_MAX}. Move it away and try again.`,
        );
      }
      return { text: readFileSync(descriptor, 'utf8'), mtimeMs: stats.mtimeMs };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeFault(error, file, 'read');
  }
}

/** For a file that we keep short: reads it without checking its size first. */
export function readShort(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeFault(error, file, 'read');
  }
}

/** Private to the user: prompts, transcripts and check output are in there. An existing directory keeps its mode. */
export function ensureDir(directory: string): void {
  try {
    makeDirs(directory);
  } catch (error) {
    throw storeFault(error, directory, 'write');
  }
}

/**
 * Returns the outermost new directory. Without `recursive`: there Node 20 reports a read-only disk as "does not exist", and never returns if a system
 * answers ENOENT below an existing directory (/proc).
 */
export function makeDirs(directory: string): string | undefined {
  const first = makeDir(directory);
  if (!(first instanceof Error)) return first;
  const parent = path.dirname(directory);
  // Another process may have created the parent in the meantime, so one retry is enough.
  const made = existsSync(parent) ? undefined : makeDirs(parent);
  const second = makeDir(directory);
  if (second instanceof Error) throw second;
  return made ?? second;
}

/** The directory if it is new, `undefined` if it exists, the error if its parent is missing. */
function makeDir(directory: string): string | undefined | Error {
  try {
    mkdirSync(directory, { mode: 0o700 });
    return directory;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && statSync(directory).isDirectory()) return undefined;
    if (errnoOf(error) === 'ENOENT' && error instanceof Error) return error;
    throw error;
  }
}

type Writing = { readonly durable: boolean; readonly timeMs?: number; readonly mode: number | undefined };

function temporaryBeside(target: string): string {
  return `${path.dirname(target)}${path.sep}.${path.basename(target).slice(0, 100)}.${newId()}.tmp`;
}

function replace(target: string, bytes: string | Uint8Array, how: Writing): void {
  const temporary = temporaryBeside(target);
  try {
    writeNew(temporary, bytes, how);
    renameOver(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeNew(file: string, bytes: string | Uint8Array, options: Writing): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeAll(descriptor, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    if (options.mode !== undefined) fchmodSync(descriptor, options.mode);
    if (options.timeMs !== undefined) setTime(descriptor, options.timeMs);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Some network file systems refuse this; the content is still correct. */
function setTime(descriptor: number, timeMs: number): void {
  try {
    futimesSync(descriptor, timeMs / 1000, timeMs / 1000);
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

/** A rename would replace the link itself, and people link state files into place. Links in parent directories make no difference. */
function resolveLink(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? behindLink(file) : file;
}

function behindLink(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return file;
    throw error;
  }
}

function modeOf(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o777;
}

function renameOver(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      // Windows refuses while a reader or a virus scanner briefly has the file open.
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (!isBusy || tries >= RENAME_TRIES_MAX) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

/**
 * Without this, a power cut may undo the rename. Windows and some network file systems cannot sync a directory: not
 * supported there.
 */
export function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (process.platform === 'win32' || ['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errnoOf(error) ?? '')) return;
    throw error;
  }
}

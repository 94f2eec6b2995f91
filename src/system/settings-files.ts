import { accessSync, constants, readFileSync, readlinkSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault, isFault } from '../core/fault.ts';
import { ignoringErrno, errnoOf } from './errno.ts';
import { makeDirs, storeFault } from './files.ts';
import { isProgram } from './is-program.ts';

/** The running program, by the paths that a settings file may contain. */
export type Program = {
  readonly node: string;
  /** The command line, and the hook next to it. */
  readonly cli: string;
  readonly hook: string;
  /** Files that hosts load by path. */
  readonly plugins: string;
};

const ANYBODY_WRITES = 0o222;

/** Links are resolved: a package manager may later point a link in `bin` at another version, and a hook would run half of each. */
export function thisProgram(): Program {
  const started = process.argv[1] ?? '';
  const dist = path.dirname(ignoringErrno(() => realpathSync(started)) ?? path.resolve(started));
  return {
    node: process.execPath,
    // By name: the running program may be the hook.
    cli: path.join(dist, 'cli.js'),
    hook: path.join(dist, 'hook.cjs'),
    plugins: path.join(path.dirname(dist), 'plugins'),
  };
}

/** `undefined` = there is no such file. A broken link does not count as missing, or it would be overwritten. Throws a Fault. */
export function readBytesIfExists(file: string): Uint8Array | undefined {
  try {
    const stats = statSync(file);
    // Reading a pipe waits for a writer, and a device may be endless.
    if (stats.isFIFO() || stats.isCharacterDevice())
      throw new Fault(
        'SETTINGS_INVALID',
        `Cannot change ${file}: it is not a regular file. Move it away and run the same command again; nothing was written.`,
      );
    return readFileSync(file);
  } catch (error) {
    if (isFault(error)) throw error;
    if (errnoOf(error) !== 'ENOENT') throw storeFault(error, file, 'read');
    const target = ignoringErrno(() => readlinkSync(file));
    if (target === undefined) return undefined;
    throw new Fault(
      'SETTINGS_INVALID',
      `Cannot change ${file}: it is a link to ${target}, which is missing. Create that file or remove the link, and run the same command again; nothing was written.`,
    );
  }
}

/**
 * In a writable folder anyone can replace a read-only file, and root may write everything: the mode shows what the user wants. Throws a
 * Fault.
 */
export function refuseReadOnly(file: string): void {
  const mode = ignoringErrno(() => statSync(file).mode) ?? ANYBODY_WRITES;
  if ((mode & ANYBODY_WRITES) !== 0) return;
  throw new Fault(
    'SETTINGS_INVALID',
    `Cannot change ${file}: it is read-only (mode 0${(mode & 0o777).toString(8)}), so it is protected. Make it writable and run the same command again; nothing was written.`,
  );
}

/** A missing file counts as removed. Throws a Fault. */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/** Creates the folder of a file; returns the outermost new folder, `null` = nothing was created. Throws a Fault. */
export function makeFolderOf(file: string): string | null {
  try {
    return makeDirs(path.dirname(file)) ?? null;
  } catch (error) {
    throw storeFault(error, path.dirname(file), 'write');
  }
}

/** Removes the folder of `file` and those above it up to `outermost`, as long as they are empty. */
export function removeEmptyFolders(file: string, outermost: string): void {
  for (let folder = path.dirname(file); folder.startsWith(outermost); folder = path.dirname(folder)) {
    // Not empty, or not ours to remove: either way someone uses it.
    if (ignoringErrno(() => (rmdirSync(folder), true)) !== true) return;
    if (folder === outermost) return;
  }
}

export function isFolder(folder: string): boolean {
  return ignoringErrno(() => statSync(folder).isDirectory()) === true;
}

/** Is there a program of this name on the PATH? */
export function isOnPath(program: string, variables: Readonly<Record<string, string | undefined>>): boolean {
  return programOnPath(program, variables) !== undefined;
}

/** The first program of this name on the PATH, absolute; on Windows with one of the usual extensions. */
export function programOnPath(
  program: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  const folders = (variables['PATH'] ?? variables['Path'] ?? '').split(path.delimiter).filter((each) => each !== '');
  return folders
    .flatMap((folder) => endings.map((ending) => path.resolve(folder, `${program}${ending}`)))
    .find((file) => isProgram(file));
}

export function isFile(file: string): boolean {
  return ignoringErrno(() => statSync(file).isFile()) === true;
}

/** With every link resolved; unchanged if that fails. */
export function realPath(file: string): string {
  return ignoringErrno(() => realpathSync(file)) ?? file;
}

/** Can a file be created in it, or in the nearest existing folder above it? */
export function isWritableFolder(folder: string): boolean {
  let there = folder;
  while (!isFolder(there) && !isFile(there) && path.dirname(there) !== there) there = path.dirname(there);
  return isFolder(there) && ignoringErrno(() => (accessSync(there, constants.W_OK), true)) === true;
}

import { accessSync, constants, readFileSync, readlinkSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault, isFault } from '../core/fault.ts';
import { ignoringErrno, errnoOf } from './errno.ts';
import { makeDirs, storeFault } from './files.ts';

/** The program that runs now, by the paths that a settings file may hold. */
export type Program = {
  readonly node: string;
  /** The command line, and the hook beside it. */
  readonly cli: string;
  readonly hook: string;
  /** What hosts load by path. */
  readonly plugins: string;
};

const ANYBODY_WRITES = 0o222;

/** Links are resolved: a package manager points a link in `bin` at another version some day, and a hook would run half of each. */
export function thisProgram(): Program {
  const started = process.argv[1] ?? '';
  const dist = path.dirname(ignoringErrno(() => realpathSync(started)) ?? path.resolve(started));
  return {
    node: process.execPath,
    // By name: the hook may be what runs now.
    cli: path.join(dist, 'cli.js'),
    hook: path.join(dist, 'hook.cjs'),
    plugins: path.join(path.dirname(dist), 'plugins'),
  };
}

/** `undefined` = there is no such file. A link that leads nowhere is none: it would be lost. Throws a Fault. */
export function readBytesIfExists(file: string): Uint8Array | undefined {
  try {
    const stats = statSync(file);
    // To read a pipe waits for a writer, and a device may have no end.
    if (stats.isFIFO() || stats.isCharacterDevice())
      throw new Fault(
        'SETTINGS_INVALID',
        `Cannot change ${file}: it is no regular file. Move it away and run the same command again; nothing was written.`,
      );
    return readFileSync(file);
  } catch (error) {
    if (isFault(error)) throw error;
    if (errnoOf(error) !== 'ENOENT') throw storeFault(error, file, 'read');
    const target = ignoringErrno(() => readlinkSync(file));
    if (target === undefined) return undefined;
    throw new Fault(
      'SETTINGS_INVALID',
      `Cannot change ${file}: it is a link to ${target}, which is not there. Make that file or remove the link, and run the same command again; nothing was written.`,
    );
  }
}

/**
 * A folder that may be written lets anybody replace a read-only file, and root may write all: the mode says what the user wants. Throws a
 * Fault.
 */
export function refuseReadOnly(file: string): void {
  const mode = ignoringErrno(() => statSync(file).mode) ?? ANYBODY_WRITES;
  if ((mode & ANYBODY_WRITES) !== 0) return;
  throw new Fault(
    'SETTINGS_INVALID',
    `Cannot change ${file}: it is read-only (mode 0${(mode & 0o777).toString(8)}), so somebody wants it as it is. Make it writable and run the same command again; nothing was written.`,
  );
}

/** One that is not there is as good as removed. Throws a Fault. */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

/** Makes the folder of a file; answers the outermost folder that is new, `null` = it was all there. Throws a Fault. */
export function makeFolderOf(file: string): string | null {
  try {
    return makeDirs(path.dirname(file)) ?? null;
  } catch (error) {
    throw storeFault(error, path.dirname(file), 'write');
  }
}

/** The folder of `file` and those above it up to `outermost`, as far as they are empty. */
export function removeEmptyFolders(file: string, outermost: string): void {
  for (let folder = path.dirname(file); folder.startsWith(outermost); folder = path.dirname(folder)) {
    // Not empty, or not ours to remove: both mean that somebody uses it.
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

/** The first program of this name on the PATH, absolute; on Windows with one of the usual endings. */
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

/** With every link followed; as it is where that cannot be done. */
export function realPath(file: string): string {
  return ignoringErrno(() => realpathSync(file)) ?? file;
}

function isProgram(file: string): boolean {
  return (
    ignoringErrno(() => {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    }) === true
  );
}

/** Can a file be made in it, or in the first folder above it that is there? */
export function isWritableFolder(folder: string): boolean {
  let there = folder;
  while (!isFolder(there) && !isFile(there) && path.dirname(there) !== there) there = path.dirname(there);
  return isFolder(there) && ignoringErrno(() => (accessSync(there, constants.W_OK), true)) === true;
}

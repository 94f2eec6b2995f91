import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno, errnoOf } from './errno.ts';
import { storeFault } from './files.ts';

/** `modifiedMs`: when its content changed; `changedMs`: includes its name and place. */
export type FolderFile = { readonly name: string; readonly modifiedMs: number; readonly changedMs: number };

/** The regular files of a folder, by name, without hidden ones. A missing folder has none. Throws a Fault. */
export function filesOfFolder(folder: string): readonly FolderFile[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      // A file that vanishes between the two looks was moved: it is not here.
      const stats = ignoringErrno(() => statSync(path.join(folder, name)));
      return stats?.isFile() === true ? [{ name, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs }] : [];
    });
}

/** Everything in a folder, sorted: files, folders and hidden ones. A missing folder has none. Throws a Fault. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw storeFault(error, folder, 'read');
  }
}

/**
 * Finds the first file on a path whose names may contain one `*` each. Tries names in reverse order, so that folders named by date start with the
 * newest. Unreadable folders are skipped.
 */
export function findBelow(folder: string, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined) return ignoringErrno(() => statSync(folder).isFile()) === true ? folder : undefined;
  const [before = '', after] = name.split('*');
  const names =
    after === undefined
      ? [name]
      : (ignoringErrno(() => namesIn(folder)) ?? []).filter((each) => each.startsWith(before) && each.endsWith(after));
  for (const each of names.toReversed()) {
    const file = findBelow(path.join(folder, each), rest);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** When a file was last written, on the wall clock; `undefined` = no file is visible. */
export function modifiedMs(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined; // A file that cannot be read is not a sign of life.
  }
}

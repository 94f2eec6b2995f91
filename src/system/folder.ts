import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { askOrNone, errnoOf } from './errno.ts';
import { storeFault } from './files.ts';

/** `modifiedMs`: its text; `changedMs`: also its name and place. */
export type FolderFile = { readonly name: string; readonly modifiedMs: number; readonly changedMs: number };

/** The regular files of a folder, by name; hidden ones are left out. A folder that is not there has none. Throws a Fault. */
export function filesOfFolder(folder: string): readonly FolderFile[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      // One that vanishes between the two looks was moved: it is not here.
      const stats = askOrNone(() => statSync(path.join(folder, name)));
      return stats?.isFile() === true ? [{ name, modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs }] : [];
    });
}

/** Everything in a folder, sorted: files, folders and hidden ones. A folder that is not there has none. Throws a Fault. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw storeFault(error, folder, 'read');
  }
}

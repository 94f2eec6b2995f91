import { lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';

/**
 * Files that `writeFileAtomic` leaves behind if its process is killed between write and rename. Nobody reads them, so removing them is only tidiness,
 * and no stop pays for it: it is done by code that lists a folder anyway, or is in no hurry.
 *
 * A writer needs milliseconds, and no two use the same name, so a file untouched for an hour is abandoned. The pid in a name would show that sooner,
 * but would be wrong in a folder that two containers share. If a writer was suspended for that long and wakes up, its rename fails and is reported;
 * the content of the real file is never harmed.
 */
const AGE_MS_MIN = 60 * 60 * 1000;
const LEFTOVER = /^\.(?<name>.{1,100})\.[0-9a-hjkmnp-tv-z]{20}\.tmp$/su;

/** Beside this one file, in a folder that is not ours. Follows a link, as the writer does. Returns the number removed. */
export function removeLeftoversOf(file: string): number {
  const target = ignoringErrno(() => realpathSync(file)) ?? file;
  const own = path.basename(target).slice(0, 100);
  return removeIn(path.dirname(target), (name) => name === own);
}

/** Beside any file, in a folder of ours and its subfolders. */
export function removeLeftoversBelow(folder: string): number {
  const below = ignoringErrno(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return below
    .filter((entry) => entry.isDirectory())
    .reduce(
      (count, { name }) => count + removeLeftoversBelow(path.join(folder, name)),
      removeIn(folder, () => true),
    );
}

function removeIn(folder: string, isMeant: (name: string) => boolean): number {
  const names = ignoringErrno(() => readdirSync(folder)) ?? [];
  const old = names.filter((name) => {
    const of = LEFTOVER.exec(name)?.groups?.['name'];
    return of !== undefined && isMeant(of) && isOld(path.join(folder, name));
  });
  // A file that cannot be removed stays; the next call tries again.
  return old.filter((name) => ignoringErrno(() => isRemoved(path.join(folder, name)))).length;
}

function isRemoved(file: string): true {
  rmSync(file, { force: true });
  return true;
}

function isOld(file: string): boolean {
  const stats = ignoringErrno(() => lstatSync(file));
  return stats?.isFile() === true && Date.now() - stats.mtimeMs > AGE_MS_MIN;
}

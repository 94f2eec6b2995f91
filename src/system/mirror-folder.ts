import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';

/** A folder whose entries are links to those of another one, which may be missing. `isShown`: which names there are in it. */
export function mirrorFolder(of: string, as: string, isShown: (name: string) => boolean): void {
  mkdirSync(as, { recursive: true });
  for (const name of ignoringErrno(() => readdirSync(of)) ?? []) {
    if (isShown(name)) symlinkSync(path.join(of, name), path.join(as, name));
  }
}

/** A copy of all that is in a folder, which may be missing. */
export function copyFolder(of: string, as: string): void {
  if (existsSync(of)) cpSync(of, as, { recursive: true });
}

/** Links in it are removed, not what they point to. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';

/** Creates a folder of links to the entries of another folder, which may be missing. `isShown`: which names to include. */
export function mirrorFolder(of: string, as: string, isShown: (name: string) => boolean): void {
  mkdirSync(as, { recursive: true });
  for (const name of ignoringErrno(() => readdirSync(of)) ?? []) {
    if (isShown(name)) symlinkSync(path.join(of, name), path.join(as, name));
  }
}

/** Copies everything in a folder, which may be missing. */
export function copyFolder(of: string, as: string): void {
  if (existsSync(of)) cpSync(of, as, { recursive: true });
}

/** Removes links in it, not their targets. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { askOrNone } from './errno.ts';

/** A folder whose entries are links to those of another one, which may be missing. `except`: names that are left out. */
export function mirrorFolder(of: string, as: string, except: readonly string[]): void {
  mkdirSync(as, { recursive: true });
  for (const name of askOrNone(() => readdirSync(of)) ?? []) {
    if (!except.includes(name)) symlinkSync(path.join(of, name), path.join(as, name));
  }
}

/** Links in it are removed, not what they point to. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

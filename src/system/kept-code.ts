import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isFault } from '../core/fault.ts';
import { errnoOf } from './errno.ts';
import { writeFileAtomic } from './files.ts';

/** Only an optimisation. Durable before it gets its name, because V8 trusts its content. Older files of the same kind are removed. */
export function keepCode(file: string, code: Uint8Array): void {
  const folder = path.dirname(file);
  const isOld = (name: string): boolean => /^\.hook-.*\.code$/u.test(name) && name !== path.basename(file);
  try {
    writeFileAtomic(file, code, { durable: true });
    for (const name of readdirSync(folder).filter(isOld)) rmSync(path.join(folder, name), { force: true });
  } catch (error) {
    // If the folder is not writable, every stop compiles.
    if (!isFault(error) && errnoOf(error) === undefined) throw error;
  }
}

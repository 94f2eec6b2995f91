import path from 'node:path';
import { makeDirs, syncDirectory } from '../system/files.ts';
import { withStoreFaults } from './loop-files.ts';

/**
 * Makes sure that the directory exists, private to the user, and survives a power cut. Whoever adds something to it later has to sync it.
 */
export function makeDurableDir(dir: string): void {
  withStoreFaults(dir, 'write', () => {
    const made = makeDirs(dir);
    syncParents(dir, made ?? dir);
  });
}

/** A new name is durable once the directory that contains it is. `made`: the outermost new directory. */
function syncParents(dir: string, made: string): void {
  const parent = path.dirname(dir);
  syncDirectory(parent);
  if (dir !== made && parent !== dir) syncParents(parent, made);
}

import path from 'node:path';
import { makeDirs, syncDirectory } from '../system/files.ts';
import { withStoreFaults } from './loop-files.ts';

/**
 * The directory exists, private to the user, and will after a power cut. What is put into it later has to be synced by whoever puts it there.
 */
export function makeDurableDir(dir: string): void {
  withStoreFaults(dir, 'write', () => {
    const made = makeDirs(dir);
    syncParents(dir, made ?? dir);
  });
}

/** A new name is durable once the directory that holds it is. `made` is the outermost directory that is new. */
function syncParents(dir: string, made: string): void {
  const parent = path.dirname(dir);
  syncDirectory(parent);
  if (dir !== made && parent !== dir) syncParents(parent, made);
}

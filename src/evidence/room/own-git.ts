import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { ignoringErrno } from '../../system/errno.ts';
import { ownPrograms, useGit } from '../../system/own-programs.ts';
import { readChunks } from '../read-regular.ts';

/** The git that stored the project, and that makes every room of it. */
export type GitRecord = { readonly file: string; readonly state: string; readonly hash: string };

/** `undefined`: there is none, or it cannot be told which one runs. */
export function recordGit(): GitRecord | undefined {
  const file = ownPrograms()?.git;
  const hash = file === undefined ? undefined : hashOf(file);
  return file === undefined || hash === undefined ? undefined : { file, state: stateOf(file), hash };
}

/** From now on this process uses the same git as at the start. Returns its path if it is no longer the same program. */
export function returnToGit({ file, state, hash }: GitRecord): string | undefined {
  useGit(file);
  return stateOf(file) === state || hashOf(file) === hash ? undefined : file;
}

/** Only the system can set the time of an inode's last change. */
function stateOf(file: string): string {
  const stats = ignoringErrno(() => statSync(file, { bigint: true }));
  return stats === undefined ? 'gone' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('-');
}

function hashOf(file: string): string | undefined {
  const hash = createHash('sha256');
  const reading = readChunks(file, (chunk) => {
    hash.update(chunk);
    return true;
  });
  return reading === 'read' ? hash.digest('hex') : undefined;
}

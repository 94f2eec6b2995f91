import { statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

/** The file or its folder, whichever another user owns or can write to; `null` = neither. The user's own group counts as the user. */
export function sharedPlace(file: string): string | null {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || gid === undefined) return null;
  const isShared = (place: string): boolean => {
    const stats = ignoringErrno(() => statSync(place));
    if (stats === undefined) return false;
    const isForeign = stats.uid !== uid && stats.uid !== 0 && uid !== 0;
    return isForeign || (stats.mode & OTHERS_WRITE) !== 0 || ((stats.mode & GROUP_WRITES) !== 0 && stats.gid !== gid);
  };
  return [file, path.dirname(file)].find(isShared) ?? null;
}

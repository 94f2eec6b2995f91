import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { errnoOf, ignoringErrno } from '../system/errno.ts';
import { reasonFor } from '../system/store-fault.ts';

/** `undefined` = the system has no such ids (Windows). */
type Identity = { readonly uid: number; readonly gid: number } | undefined;

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const STICKY = 0o1000;

/**
 * Whoever can write to the home can allow commands and forge loops. Throws HOME_UNUSABLE for a home of another user, a home that others can write to,
 * and, with `above`, a home below a directory where others could replace it (except `/tmp`, where only the owner of an entry can move it). The user's
 * group counts as the user, as most systems set it up. root may use what belongs to others, as in a container with a mounted home, but nothing that
 * everybody can write to.
 */
export function refuseSharedHome(home: string, above: boolean, who: Identity = thisIdentity()): void {
  if (who === undefined) return;
  const stats = ignoringErrno(() => statSync(home));
  if (stats === undefined) return;
  const { uid, gid, mode } = stats;
  const elsewhere = 'Set TIRELESS_HOME to your own directory.';
  if (uid !== who.uid && uid !== 0 && who.uid !== 0)
    throw unusable(home, `it belongs to another user (${uid}), who could forge what is in it. ${elsewhere}`);
  if ((mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && gid !== who.gid))
    throw unusable(home, `other users can write to it. Type: chmod go-w '${home}'`);
  if (above) refuseReplaceable(home);
}

function refuseReplaceable(home: string): void {
  for (let folder = path.dirname(path.resolve(home)); ; folder = path.dirname(folder)) {
    const found = ignoringErrno(() => statSync(folder))?.mode ?? 0;
    if ((found & OTHERS_WRITE) !== 0 && (found & STICKY) === 0)
      throw unusable(
        home,
        `other users can replace it, because they can write to ${folder}. Type: chmod o-w '${folder}'`,
      );
    if (folder === path.dirname(folder)) return;
  }
}

function unusable(home: string, why: string): Fault {
  return new Fault('HOME_UNUSABLE', `Cannot keep loops in ${home}: ${why}`);
}

function thisIdentity(): Identity {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** Throws HOME_UNUSABLE for a home that is not a directory or that the user cannot access. A missing home is created later. */
export function refuseUnusable(home: string): void {
  const advice = 'Move away what is in its place, or set TIRELESS_HOME to your own directory.';
  let isFile = false;
  try {
    // Without `throwIfNoEntry: false`: since Node 22 that also hides a file in the middle of the path (ENOTDIR).
    isFile = !statSync(home).isDirectory();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (errno === 'ENOENT') return;
    const access =
      errno === 'EACCES' || errno === 'EPERM' ? advice.replace(/^[^,]+/u, 'Give your user access to it') : advice;
    throw new Fault('HOME_UNUSABLE', `Cannot keep loops in ${home}: ${reasonFor(errno)}. ${access}`, { cause: error });
  }
  if (isFile) throw new Fault('HOME_UNUSABLE', `Cannot keep loops in ${home}: it is not a directory. ${advice}`);
}

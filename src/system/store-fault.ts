import { Fault, isFault } from '../core/fault.ts';
import { errnoOf } from './errno.ts';
import { currentPlatform, tirelessHome } from './paths.ts';

/** A system error as a Fault with a next step. Anything that is not a system error is a bug and is rethrown. */
export function storeFault(error: unknown, file: string, access: 'read' | 'write'): Fault {
  if (isFault(error)) return error;
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const { code, advice } = adviceFor(errno, access, isInHome(file));
  return new Fault(code, `Cannot ${access} ${file}: ${reasonFor(errno)}. ${advice}`, { cause: error });
}

/** Moving the home helps only with files in it. Only a home set by the environment is known here. */
function isInHome(file: string): boolean {
  try {
    const home = tirelessHome(currentPlatform());
    return file === home || file.startsWith(`${home}/`) || file.startsWith(`${home}\\`);
  } catch (failure) {
    if (isFault(failure)) return false;
    throw failure;
  }
}

function adviceFor(
  errno: string,
  access: 'read' | 'write',
  inHome: boolean,
): { code: 'STORE_FULL' | 'STORE_UNREADABLE' | 'STORE_UNWRITABLE'; advice: string } {
  const code = access === 'read' ? 'STORE_UNREADABLE' : 'STORE_UNWRITABLE';
  switch (errno) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return {
        code: 'STORE_FULL',
        advice: 'Free some space; nothing that was committed is lost.',
      };
    case 'EACCES':
    case 'EPERM':
      return {
        code,
        advice: inHome
          ? 'Give your user access to it, or set TIRELESS_HOME to your own directory.'
          : 'Give your user access to it, then run the same command again.',
      };
    case 'EROFS':
      return {
        code,
        advice: inHome
          ? 'Set TIRELESS_HOME to a directory on a writable disk.'
          : 'Make that disk writable, or work with a copy on another one.',
      };
    case 'ELOOP':
      return { code, advice: 'Remove the link that leads to itself, then run the same command again.' };
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return { code, advice: 'Move away what is in its place, then run the same command again.' };
    case 'EMFILE':
    case 'ENFILE':
      return { code, advice: 'Close some programs or raise "ulimit -n", then run the same command again.' };
    default:
      // Includes ENOENT, which is what Node reports for a directory it could not create on a read-only disk.
      return {
        code,
        advice: inHome
          ? 'Check the disk it is on, or set TIRELESS_HOME to another directory.'
          : 'Check it and the disk it is on, then run the same command again.',
      };
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
  ['EFBIG', 'the file would be larger than the system allows'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'the operation is not permitted'],
  ['EROFS', 'the file system is read-only'],
  ['ENOTDIR', 'a part of its path is a file, not a directory'],
  ['EEXIST', 'a file is in the place of the directory'],
  ['EISDIR', 'it is a directory'],
  ['ENOENT', 'it does not exist'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ELOOP', 'its links lead in a circle'],
  ['EIO', 'the disk reported an error'],
]);

/** The system's error in words. */
export function reasonFor(errno: string): string {
  const reason = REASONS.get(errno);
  return reason === undefined ? errno : `${reason} (${errno})`;
}

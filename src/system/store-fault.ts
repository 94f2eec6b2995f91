import { Fault, isFault } from '../core/fault.ts';
import { errnoOf } from './errno.ts';

/** The world's error as a Fault with a next step. What is no system error is a bug and is thrown as it is. */
export function storeFault(error: unknown, file: string, access: 'read' | 'write'): Fault {
  if (isFault(error)) return error;
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const { code, advice } = adviceFor(errno, access);
  return new Fault(code, `Cannot ${access} ${file}: ${reasonFor(errno)}. ${advice}`, { cause: error });
}

/** Not every file is in it: settings of agents, and the project, stay where they are. */
const MOVED = '; if it belongs to the home of tireless, set TIRELESS_HOME to a directory of your own elsewhere';

function adviceFor(
  errno: string,
  access: 'read' | 'write',
): { code: 'STORE_FULL' | 'STORE_UNREADABLE' | 'STORE_UNWRITABLE'; advice: string } {
  const code = access === 'read' ? 'STORE_UNREADABLE' : 'STORE_UNWRITABLE';
  switch (errno) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return {
        code: 'STORE_FULL',
        advice:
          'Free some space; nothing committed so far is lost, and "tireless resume" goes on with a loop that was running.',
      };
    case 'EACCES':
    case 'EPERM':
      return { code, advice: `Give your user access to it${MOVED}.` };
    case 'EROFS':
      return { code, advice: `It has to be writable${MOVED}.` };
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return { code, advice: 'Move away what stands in its place, then run the same command again.' };
    case 'EMFILE':
    case 'ENFILE':
      return { code, advice: 'Close some programs or raise "ulimit -n", then run the same command again.' };
    default:
      // Also ENOENT, which is what Node makes of a directory it could not create on a read-only disk.
      return { code, advice: `Look at the disk it is on${MOVED}.` };
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
  ['EIO', 'the disk reported an error'],
]);

function reasonFor(errno: string): string {
  const reason = REASONS.get(errno);
  return reason === undefined ? errno : `${reason} (${errno})`;
}

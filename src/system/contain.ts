import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { ignoringErrno } from './errno.ts';
import { currentPlatform } from './paths.ts';

/**
 * Runs a command in its own process namespace. All its processes die with it, even a daemon that left its group, found another parent and emptied its
 * environment: the kernel ends a namespace with its first process. That process is a small shell that starts the command, asks its remaining
 * processes to end, and reports on descriptor 3 what an exit code cannot express.
 *
 * Not covered: anything another service starts for the command (a service manager, a container engine, cron).
 */
export type Cell = {
  /** Absent = only the processes are contained. */
  readonly walls?: Walls;
};

/** Real, absolute paths. Only `bwrap` can enforce them. */
export type Walls = {
  /** Folders that always appear empty inside. */
  readonly hidden: readonly string[];
  /** Files and folders that can be read but not changed. */
  readonly readOnly: readonly string[];
};

export type Containment = {
  /** The program that makes process namespaces on this machine; `null` = none can. */
  readonly by: 'unshare' | 'bwrap' | null;
  /** Can walls be built too? */
  readonly canWall: boolean;
};

type Words = readonly [file: string, ...args: string[]];

/** What the front shell reports. `left`: how many processes the command left running. */
export type CellReport =
  | { readonly kind: 'ended'; readonly isSignalled: boolean; readonly left: number }
  /** It did not reach its end: the namespace was killed. */
  | { readonly kind: 'killed' }
  /** No namespace was made. */
  | { readonly kind: 'not-begun' };

/** For starting a namespace with a command that does nothing; a slower machine counts as unable to. */
const PROBE_MS_MAX = 2000;
const PLACES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

/**
 * The command leads its own session, as it would without a namespace, so it can signal its group without reaching us. If a signal ended it, the shell
 * reports that on its own stderr (descriptor 3 here), because 143 may also be an ordinary exit code. As the first process of a namespace the shell
 * does not receive SIGTERM, so the command gets the whole grace period.
 */
const FRONT = `
echo began >&3
exec 4>&2 2>&3
( exec 2>&4 3>&- 4>&- && exec "$2" /bin/sh -c "$1" )
code=$?
exec 2>/dev/null
look() {
  left=0
  for file in /proc/[0-9]*/stat; do
    [ "$file" = /proc/1/stat ] && continue
    read -r line <"$file" || continue
    case \${line##*) } in Z*|X*) ;; *) left=$((left + 1)) ;; esac
  done
}
look
echo " left $left" >&3
if [ "$left" -gt 0 ]; then
  PATH=$PATH:/usr/bin:/bin
  kill -s TERM -- -1
  round=0
  while [ "$left" -gt 0 ] && [ "$round" -lt 20 ]; do
    sleep 0.05
    round=$((round + 1))
    look
  done
fi
exit "$code"
`;

/** `--map-current-user`, not root: an agent that believes it is root may refuse to work, and files would seem to belong to root. */
const UNSHARE = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const UNSHARE_USER = ['--user', '--map-current-user', ...UNSHARE];
const BWRAP = ['--unshare-pid', '--proc', '/proc', '--die-with-parent', '--as-pid-1'];
/** With these capabilities, root could remove the walls again or reach around them. */
const DROPPED = ['SYS_ADMIN', 'SYS_PTRACE', 'SYS_MODULE', 'SYS_RAWIO', 'MKNOD', 'DAC_READ_SEARCH', 'BPF', 'PERFMON'];

/** Found by trying, once per process and only when needed. */
const tried: { cell?: Words | null; bwrap?: string | null; setsid?: string | null } = {};

/** What this machine supports. Never throws. */
export function containment(): Containment {
  const cell = (tried.cell ??= findCell());
  const by = cell === null ? null : path.basename(cell[0]) === 'bwrap' ? 'bwrap' : 'unshare';
  return { by, canWall: bwrapHere() !== null };
}

/** Throws SANDBOX_UNAVAILABLE: a request for walls never gets less. */
export function requireWalls(): void {
  if (bwrapHere() !== null) return;
  const why =
    currentPlatform().os !== 'linux'
      ? 'it needs process and mount namespaces, which only Linux has'
      : findProgram('bwrap') === null
        ? 'bwrap is not installed. Install bubblewrap, such as "apt-get install bubblewrap" or "dnf install bubblewrap"'
        : 'bwrap is installed, but this system does not let it create namespaces. Run "bwrap --unshare-pid --dev-bind / / true" to see why';
  throw new Fault('SANDBOX_UNAVAILABLE', `Cannot create the sandbox for --sandbox: ${why}; or leave --sandbox out.`);
}

/** `undefined` = this machine cannot contain a process: run the command as it is. Walls are never dropped: call `containment` first. */
export function containCommand(
  command: string,
  { walls }: Cell,
): { readonly file: string; readonly args: readonly string[] } | undefined {
  if (walls === undefined) {
    const cell = (tried.cell ??= findCell());
    return cell === null ? undefined : inFront(cell, command);
  }
  const bwrap = bwrapHere();
  if (bwrap === null) throw new Error('bwrap cannot build walls on this machine');
  return inFront(wallWords(bwrap, walls), command);
}

export function parseReport(text: string): CellReport {
  if (!text.startsWith('began\n')) return { kind: 'not-begun' };
  const found = /^began\n(?<said>.*) left (?<left>\d+)\n$/su.exec(text)?.groups;
  if (found === undefined) return { kind: 'killed' };
  return { kind: 'ended', isSignalled: (found['said'] ?? '').trim() !== '', left: Number(found['left']) };
}

/** The name of the signal behind 128 + n. */
export function signalOf(exitCode: number): string | undefined {
  return Object.entries(osConstants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}

/** The first program that works: `unshare` is cheaper and takes no rights from root. */
function findCell(): Words | null {
  const unshare = findProgram('unshare');
  const byRoot: readonly Words[] = unshare === null || process.getuid?.() !== 0 ? [] : [[unshare, ...UNSHARE]];
  const byUser: readonly Words[] = unshare === null ? [] : [[unshare, ...UNSHARE_USER]];
  const found = [...byRoot, ...byUser].find(isWorking);
  if (found !== undefined) return found;
  const bwrap = bwrapHere();
  return bwrap === null ? null : plainBwrap(bwrap);
}

function bwrapHere(): string | null {
  if (tried.bwrap !== undefined) return tried.bwrap;
  const file = findProgram('bwrap');
  return (tried.bwrap = file !== null && isWorking(plainBwrap(file)) ? file : null);
}

function plainBwrap(file: string): Words {
  return [file, '--dev-bind', '/', '/', ...BWRAP];
}

function isWorking(words: Words): boolean {
  if (setsidHere() === null) return false;
  const { file, args } = inFront(words, 'echo "$PPID"');
  const { status, output } = spawnSync(file, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    timeout: PROBE_MS_MAX,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    maxBuffer: 10_000,
  });
  return status === 0 && output?.[1] === '1\n' && parseReport(output[3] ?? '').kind === 'ended';
}

/** By its full path: the command's own PATH may lead elsewhere. */
function setsidHere(): string | null {
  return (tried.setsid ??= findProgram('setsid'));
}

function inFront([file, ...args]: Words, command: string): { file: string; args: readonly string[] } {
  return { file, args: [...args, '/bin/sh', '-c', FRONT, '/bin/sh', command, setsidHere() ?? 'setsid'] };
}

function wallWords(bwrap: string, { hidden, readOnly }: Walls): Words {
  return [
    bwrap,
    '--bind',
    '/',
    '/',
    '--dev-bind',
    '/dev',
    '/dev',
    ...readOnly.flatMap((file) => ['--ro-bind', file, file]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]),
    ...DROPPED.flatMap((name) => ['--cap-drop', `CAP_${name}`]),
    ...BWRAP,
  ];
}

/**
 * Looks in the usual places first, so that a program the project put into PATH is not used to contain it. `null` on every system but Linux:
 * macOS has no process namespaces, and `sandbox-exec` alone would leave daemons alive, so nothing is claimed there (written, not tested).
 */
function findProgram(name: string): string | null {
  const { os, env } = currentPlatform();
  if (os !== 'linux') return null;
  const folders = [...PLACES, ...(env['PATH'] ?? '').split(path.delimiter).filter((each) => path.isAbsolute(each))];
  const files = folders.map((folder) => path.join(folder, name));
  return files.find((file) => ignoringErrno(() => isExecutable(file)) === true) ?? null;
}

function isExecutable(file: string): true {
  accessSync(realpathSync(file), constants.X_OK);
  return true;
}

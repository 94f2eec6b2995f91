import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { LoopId } from '../core/loop.ts';
import { currentPlatform, type Platform } from './paths.ts';

/**
 * Ends the agents of a driver that was killed and could not do so itself. One tiny process per driver waits on a pipe;
 * the system closes the pipe however the driver dies. Without a clean `close` it kills the guarded groups and every
 * process with `TIRELESS_LOOP=<loopId>` in its environment, which the driver sets for everything it starts. So a process
 * that has been started but is not guarded yet is found too.
 */
export type Watchdog = {
  readonly guard: (pid: number) => void;
  readonly release: (pid: number) => void;
  /** The driver ended normally: the watchdog exits and kills nothing. */
  readonly close: () => void;
  readonly pid: number | undefined;
};

const WATCHDOG = 'TIRELESS_WATCHDOG';

/** Marks the environment of a driver's watchdog, so that whoever takes over the loop can stop it. */
export function watchdogMark(loopId: LoopId, driverPid: number): string {
  return `${WATCHDOG}=${loopId}:${driverPid}`;
}

export function startWatchdog(loopId: LoopId, platform: Platform = currentPlatform()): Watchdog {
  const { file, args } = watchdogCommand(loopId, platform.os);
  const dog = spawn(file, args, {
    // `/`: it must not keep a directory busy or lose its own. In its own session a closed terminal or Ctrl-C does not reach it.
    cwd: platform.os === 'win32' ? undefined : '/',
    detached: true,
    env: { ...withoutOurs(platform.env), [WATCHDOG]: `${loopId}:${process.pid}` },
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  // Without a watchdog the driver still works, but nothing cleans up if it is killed. The pipe is missing if the system has no file descriptor left.
  const pipe: Writable | null | undefined = dog.stdin;
  dog.on('error', () => pipe?.destroy());
  pipe?.on('error', () => pipe.destroy());
  dog.unref();
  const guarded = new Set<number>();
  const tell = (line: string): void => {
    if (pipe?.writable) pipe.write(`${line}\n`);
  };
  return {
    pid: dog.pid,
    guard: (pid) => {
      // Only once: a second line would outlive the release.
      if (!guarded.has(pid)) tell(`guard ${pid}`);
      guarded.add(pid);
    },
    release: (pid) => {
      if (guarded.delete(pid)) tell(`release ${pid}`);
    },
    close: () => {
      tell('close');
      pipe?.end();
    },
  };
}

/** Must not carry the marks it searches for, nor those of a loop that we run inside: it has to outlive the end of that loop. */
function withoutOurs(environment: Platform['env']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^TIRELESS_(?:LOOP|SPAWN|JOB)$/iu.test(name)),
  );
}

export function watchdogCommand(loopId: LoopId, os: Platform['os']): { file: string; args: string[] } {
  switch (os) {
    case 'linux':
      return { file: '/bin/sh', args: ['-c', `${LISTEN}${FIND_LINUX}${END}`, 'tireless-watchdog', loopId] };
    case 'darwin':
      return { file: '/bin/sh', args: ['-c', `${LISTEN}${FIND_DARWIN}${END}`, 'tireless-watchdog', loopId] };
    case 'win32':
      return { file: process.execPath, args: ['-e', WINDOWS] };
  }
}

const LISTEN = `
trap '' INT HUP TERM QUIT PIPE TSTP
PATH=$PATH:/usr/bin:/bin
loop=$1
guarded=' '
while read -r word pid; do
  case $word in
    guard) guarded="$guarded$pid " ;;
    release) case $guarded in *" $pid "*) guarded="\${guarded%% $pid *} \${guarded#* $pid }" ;; esac ;;
    close) exit 0 ;;
  esac
done
`;

/** One grep finds the candidates; then entry by entry, because one loop id may be the prefix of another. */
const FIND_LINUX = `
find_marked() {
  for file in $(grep -lF -e "TIRELESS_LOOP=$loop" /proc/[0-9]*/environ 2>/dev/null); do
    if tr '\\000\\n' '\\n ' <"$file" 2>/dev/null | grep -qxF -e "TIRELESS_LOOP=$loop"; then
      file=\${file#/proc/}
      echo "\${file%/environ}"
    fi
  done
}
`;

const FIND_DARWIN = `
find_marked() {
  ps -A -wwE -o pid= -o command= 2>/dev/null | while read -r pid rest; do
    case " $rest " in *" TIRELESS_LOOP=$loop "*) echo "$pid" ;; esac
  done
}
`;

/**
 * In rounds, because a killed process may have forked just before; bounded, because a process stuck in the system never ends.
 */
const END = `
round=0
while [ "$round" -lt 40 ]; do
  alive=
  for pid in $guarded; do kill -s KILL -- "-$pid" 2>/dev/null && alive=1; done
  for pid in $(find_marked); do
    [ "$pid" = "$$" ] && continue
    kill -s KILL "$pid" 2>/dev/null && alive=1
  done
  [ -z "$alive" ] && exit 0
  round=$((round + 1))
  sleep 0.05
done
`;

/** Windows does not show the environment of other processes: the trees of the guarded processes have to suffice. */
const WINDOWS = `
const guarded = new Set();
let isClosed = false;
for (const name of ['SIGINT', 'SIGBREAK', 'SIGHUP']) process.on(name, () => undefined);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, pid] = line.split(' ');
  if (word === 'guard') guarded.add(pid);
  if (word === 'release') guarded.delete(pid);
  if (word === 'close') isClosed = true;
}).on('close', () => {
  if (!isClosed) for (const pid of guarded) require('node:child_process').spawnSync('taskkill', ['/T', '/F', '/PID', pid]);
  process.exit(0);
});
`;

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CELLS, NO_NAMESPACE, NO_WALLS } from '../../test/support/cells.ts';
import { containment, parseReport, type Cell } from './contain.ts';
import { runCommandSync, spawnCommand, type SpawnRequest, type SpawnResult } from './spawn.ts';

let directory = '';
beforeEach(() => {
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-contain-')));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const at = (name: string): string => path.join(directory, name);

function request(command: string, contain: Cell | undefined): SpawnRequest {
  return { command, cwd: directory, environment: {}, tailBytesMax: 10_000, contain };
}

async function run(command: string, contain: Cell | undefined, stdin?: string): Promise<SpawnResult> {
  return await spawnCommand({ ...request(command, contain), ...(stdin === undefined ? {} : { stdin }) }).done;
}

/** Two forks, a session of its own, another parent and no environment: only its command line still identifies it. */
const daemon = (): string => {
  const file = at('daemon.sh');
  writeFileSync(file, 'while :; do echo beat >> "$1"; sleep 0.05; done\n');
  return `(setsid env -i /bin/sh '${file}' '${at('beats')}' >/dev/null 2>&1 </dev/null &) ; until [ -s beats ]; do :; done`;
};

const daemonPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && commandLineOf(name).includes(at('daemon.sh')))
    .map(Number);

const isDaemonAlive = (): boolean => daemonPids().length > 0;

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** `unshare` is preferred if both work; walls require the other one. */
const NO_PARTICULAR_WALLS: Cell = { walls: { hidden: [], readOnly: [] } };
const NAMESPACES = [
  { by: 'the program that is preferred here', contain: {}, skips: NO_NAMESPACE },
  { by: 'bwrap', contain: NO_PARTICULAR_WALLS, skips: NO_WALLS },
];

describe.each(NAMESPACES)('a namespace made by $by', ({ contain, skips }) => {
  beforeEach(({ skip }) => {
    if (skips !== null) skip(skips);
  });

  it('takes a daemon along that left its session, its parent and its environment', async () => {
    const result = await run(`${daemon()}; echo done`, contain);
    expect(result).toMatchObject({ exitCode: 0, stdoutTail: 'done\n' });
    expect(result.leftovers).toBeGreaterThan(0);
    expect(isDaemonAlive()).toBe(false);
  });

  it('takes it along when the command is killed', async () => {
    const spawned = spawnCommand(request(`${daemon()}; while :; do sleep 1; done`, contain));
    await vi.waitFor(() => expect(existsSync(at('beats'))).toBe(true), { timeout: 10_000 });
    expect(isDaemonAlive()).toBe(true);
    await spawned.kill(0);
    expect(await spawned.done).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(isDaemonAlive()).toBe(false);
  });

  it('takes it along when a command that is waited for overruns its time', () => {
    const result = runCommandSync({ ...request(`${daemon()}; sleep 60`, contain), timeoutMs: 1500 });
    expect(result).toMatchObject({ timedOut: true });
    expect(isDaemonAlive()).toBe(false);
  });

  it('leaves the command its grace', async () => {
    const tidy = `trap 'echo tidied > tidied; exit 0' TERM; echo ready > ready; while :; do sleep 0.05; done`;
    const spawned = spawnCommand(request(tidy, contain));
    await vi.waitFor(() => expect(existsSync(at('ready'))).toBe(true), { timeout: 10_000 });
    await spawned.kill(10_000);
    expect(await spawned.done).toMatchObject({ exitCode: 0, signal: null });
    expect(existsSync(at('tidied'))).toBe(true);
  });

  it('asks what is left to end before it is killed', async () => {
    const server = `trap 'echo tidied > tidied; exit 0' TERM; echo ready > ready; while :; do sleep 0.05; done`;
    const result = await run(`(${server}) >/dev/null 2>&1 & until [ -e ready ]; do :; done`, contain);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(existsSync(at('tidied'))).toBe(true);
  });

  it('lets a sandbox of the agent make a namespace inside of it', async ({ skip }) => {
    if (contain === NO_PARTICULAR_WALLS && process.getuid?.() === 0)
      skip('bwrap covers parts of /proc for root, and then no other /proc can be mounted');
    const { by, canWall } = containment();
    const inner = canWall
      ? 'bwrap --unshare-user --bind / / --dev-bind /dev /dev --proc /proc --unshare-pid --die-with-parent echo nested'
      : 'unshare --user --map-current-user --pid --fork --mount-proc echo nested';
    expect([by, await run(inner, contain)]).toMatchObject([
      expect.any(String),
      { exitCode: 0, stdoutTail: 'nested\n' },
    ]);
  });

  it('cannot be ended from inside through its first process', async () => {
    expect(await run('kill -9 1; kill 1; kill -9 $PPID; echo "$PPID"', contain)).toMatchObject({
      exitCode: 0,
      stdoutTail: '1\n',
    });
  });
});

describe.runIf(process.platform === 'linux')('without a namespace', () => {
  it('such a daemon gets away', async () => {
    await run(`${daemon()}; echo done`, undefined);
    const pids = daemonPids();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(pids.length).toBeGreaterThan(0);
  });
});

describe.each(CELLS)('an end $title', ({ contain, skips }) => {
  beforeEach(({ skip }) => {
    if (skips !== null) skip(skips);
  });

  it.each([
    ['exit 0', 0, null],
    ['exit 7', 7, null],
    ['exit 137', 137, null],
    ['exit 143', 143, null],
    ['exit 255', 255, null],
    ['kill -TERM $$', null, 'SIGTERM'],
    ['kill -KILL $$', null, 'SIGKILL'],
    ['kill -SEGV $$', null, 'SIGSEGV'],
    ['kill -ABRT $$', null, 'SIGABRT'],
    ['kill -HUP $$', null, 'SIGHUP'],
    ['kill 0', null, 'SIGTERM'],
    ['kill -s TERM -- -$$', null, 'SIGTERM'],
    ["(kill -TERM $(exec sh -c 'echo $PPID')); exit 9", 9, null],
  ])('by %s is told as it was', async (command, exitCode, signal) => {
    expect(await run(command, contain)).toMatchObject({ exitCode, signal, leftovers: 0 });
  });

  it('shows what the shell says to the user on stderr, and nothing of ours', async () => {
    expect(await run('echo out; echo err >&2', contain)).toMatchObject({ stdoutTail: 'out\n', stderrTail: 'err\n' });
    expect(await run('kill -TERM $$', contain)).toMatchObject({ stdoutTail: '', stderrTail: '' });
  });

  it('hands over the descriptors, the input, the folder and the user that a command always gets', async () => {
    const command = 'ls /proc/self/fd | tr "\\n" " "; pwd; cat; id -u';
    const usual = await run(command, undefined, 'given\n');
    expect(usual.stdoutTail).toContain(`${directory}\ngiven\n`);
    expect((await run(command, contain, 'given\n')).stdoutTail).toBe(usual.stdoutTail);
  });

  it('is the same for a command that is waited for', () => {
    const ended = runCommandSync({ ...request('echo said; kill -TERM $$', contain), timeoutMs: 20_000 });
    expect(ended).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
      stdoutTail: 'said\n',
      leftovers: 0,
      timedOut: false,
    });
  });
});

describe.skipIf(NO_WALLS !== null)(`walls${NO_WALLS === null ? '' : ` (skipped: ${NO_WALLS})`}`, () => {
  const walls = (): Cell => ({ walls: { hidden: [at('state')], readOnly: [at('tests/a.test.js'), at('fixed')] } });
  beforeEach(() => {
    for (const folder of ['state', 'tests', 'fixed']) mkdirSync(at(folder));
    writeFileSync(at('state/journal'), 'secret');
    writeFileSync(at('tests/a.test.js'), 'judge');
    writeFileSync(at('fixed/b'), 'judge');
  });

  it('hide a folder, and let nothing be written there', async () => {
    const told = await run('ls -A state; cat state/journal; echo x > state/journal; echo x > state/new', walls());
    expect(told.stdoutTail).toBe('');
    expect(told.stderrTail).toContain('Read-only file system');
    expect(readdirSync(at('state'))).toEqual(['journal']);
    expect(readFileSync(at('state/journal'), 'utf8')).toBe('secret');
  });

  it.each([
    'echo x > tests/a.test.js',
    'rm -f tests/a.test.js',
    'echo x > other; mv -f other tests/a.test.js',
    'ln -sf /dev/null tests/a.test.js',
    'echo x > fixed/b',
    'echo x > fixed/new',
    'umount tests/a.test.js; echo x > tests/a.test.js',
    'mount -o remount,rw,bind tests/a.test.js; echo x > tests/a.test.js',
    'unshare --mount sh -c "umount tests/a.test.js; echo x > tests/a.test.js"',
    'unshare --user --map-root-user --mount sh -c "umount tests/a.test.js; echo x > tests/a.test.js"',
    'unshare --user --map-root-user --mount sh -c "umount -l state; echo x > state/journal"',
    'nsenter --target 1 --mount sh -c "echo x > tests/a.test.js"',
    'bwrap --bind / / sh -c "echo x > tests/a.test.js"',
  ])("keep the judge's files as they are: %s", async (attempt) => {
    await run(attempt, walls());
    expect(readFileSync(at('tests/a.test.js'), 'utf8')).toBe('judge');
    expect(readFileSync(at('fixed/b'), 'utf8')).toBe('judge');
    expect(readFileSync(at('state/journal'), 'utf8')).toBe('secret');
    expect(readdirSync(at('fixed'))).toEqual(['b']);
  });

  it('leave everything else to the agent', async () => {
    const told = await run('echo new > tests/b.test.js && echo work > product.js && cat tests/a.test.js', walls());
    expect(told).toMatchObject({ exitCode: 0, stdoutTail: 'judge' });
    expect(readdirSync(at('tests'))).toEqual(['a.test.js', 'b.test.js']);
  });
});

describe('parseReport', () => {
  it('tells a namespace that never began from one that was killed', () => {
    expect(parseReport('')).toEqual({ kind: 'not-begun' });
    expect(parseReport('began\n')).toEqual({ kind: 'killed' });
    expect(parseReport('began\n left 2\n')).toEqual({ kind: 'ended', isSignalled: false, left: 2 });
    expect(parseReport('began\nTerminated\n left 0\n')).toEqual({ kind: 'ended', isSignalled: true, left: 0 });
  });
});

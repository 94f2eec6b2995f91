/** Agents that dropped their marks and left their parents, and people who call from unusual places while a loop runs. Linux only. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { containment } from '../../src/system/contain.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';
import { onlyLoop } from '../support/session-hook.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const CALL = `'${process.execPath}' '${CLI}'`;

function has(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

const IS_LINUX = process.platform === 'linux';
const CONTAINS = IS_LINUX && containment().by !== null;
const UNSHARES = CONTAINS && has('unshare', '-p', '--fork', 'true');
const UNSHARES_USER = CONTAINS && has('unshare', '-Urpf', 'true');
const MOUNTS = CONTAINS && has('unshare', '-m', 'mount', '-t', 'tmpfs', 'none', '/proc');
const HAS_TMUX = IS_LINUX && has('tmux', '-V');
const HAS_SCRIPT = IS_LINUX && has('script', '--version');

/** Every command answers in a line of `said`, whatever becomes of it. */
async function agentTries(user: User, way: string, flags: readonly string[] = []): Promise<string> {
  writeFileSync(
    path.join(user.project, 'try.sh'),
    `export TIRELESS_HOME='${user.home}' PATH='${process.env['PATH']}'; cd '${user.project}'; unset TIRELESS_LOOP
if ${CALL} steer hello >/dev/null 2>said.part; then echo taken >said.part; fi; mv said.part said\n`,
  );
  const agent = `cat >/dev/null; ${way}; for i in $(seq 400); do test -f said && break; sleep 0.05; done`;
  await user.tireless([
    'run',
    'goal',
    '--agent-command',
    agent,
    '--check-exists',
    'x',
    '--max-iterations',
    '1',
    '--no-room',
    ...flags,
  ]);
  return readFileSync(path.join(user.project, 'said'), 'utf8');
}

type Ways = readonly (readonly [name: string, way: string, isPossible: boolean])[];

const IN_THE_CELL: Ways = [
  ['a detached process without variables', 'setsid -f env -i sh try.sh', CONTAINS],
  ['nohup', 'nohup env -i sh try.sh >/dev/null 2>&1 & true', CONTAINS],
  ['a terminal of its own', `script -qec 'exec env -i sh try.sh' /dev/null >/dev/null`, CONTAINS && HAS_SCRIPT],
  ['a tmux of its own', `env -i tmux -S "$PWD/sock" -f /dev/null new -d 'env -i sh try.sh'`, CONTAINS && HAS_TMUX],
  ['a process namespace', 'exec env -i unshare -p --fork sh try.sh', UNSHARES],
  ['a process namespace that shows only itself', 'exec env -i unshare -p --fork --mount-proc sh try.sh', UNSHARES],
  ['a namespace of users', 'exec env -i unshare -Urpf sh try.sh', UNSHARES_USER],
  ['a namespace of users that shows only itself', 'exec env -i unshare -Urpf --mount-proc sh try.sh', UNSHARES_USER],
  [
    'another name of the machine',
    `exec env -i unshare -Urpf --uts --mount-proc sh -c 'hostname x; sh try.sh'`,
    UNSHARES_USER,
  ],
  ['hidden processes', `exec env -i unshare -m sh -c 'mount -t tmpfs none /proc; sh try.sh'`, MOUNTS],
  [
    'a namespace in a namespace',
    'exec env -i unshare -Urpf --mount-proc unshare -Urpf --mount-proc sh try.sh',
    UNSHARES_USER,
  ],
];

const OUTSIDE: Ways = [
  ['a detached process without variables', 'setsid -f env -i sh try.sh', IS_LINUX],
  ['a process without variables', 'exec env -i sh try.sh', IS_LINUX],
  ['nohup', 'nohup env -i sh try.sh >/dev/null 2>&1 & exec env -i sleep 3', IS_LINUX],
  ['a terminal of its own', `exec env -i script -qec 'sh try.sh' /dev/null >/dev/null`, HAS_SCRIPT],
  ['a process namespace that shows only itself', 'exec env -i unshare -p --fork --mount-proc sh try.sh', UNSHARES],
];

describe('the agent of an outer loop is refused, and its attempt recorded', () => {
  it.each(IN_THE_CELL.filter(([, , isPossible]) => isPossible))('with %s', async (_, way) => {
    const user = aUser();
    expect(await agentTries(user, way)).toMatch(/AGENT_REFUSED: Only a person/u);
    expect(onlyLoop(user).state).toMatchObject({ attemptsRefused: 1 });
  });

  it.each(OUTSIDE.filter(([, , isPossible]) => isPossible))('without containment, with %s', async (_, way) => {
    const user = aUser();
    expect(await agentTries(user, way, ['--no-contain'])).toMatch(/AGENT_REFUSED: Only a person/u);
    expect(onlyLoop(user).state).toMatchObject({ attemptsRefused: 1 });
  });
});

/** A loop whose agent works until the test is over. */
async function aWorkingLoop(user: User, flags: readonly string[] = []): Promise<void> {
  const agent = 'cat >/dev/null; touch works; until test -f over; do sleep 0.05; done';
  const running = user.starts([
    'run',
    'goal',
    '--agent-command',
    agent,
    '--check-exists',
    'x',
    '--max-iterations',
    '1',
    '--no-room',
    ...flags,
  ]);
  onTestFinished(async () => {
    writeFileSync(path.join(user.project, 'over'), '');
    await running.end;
  });
  await vi.waitUntil(() => existsSync(path.join(user.project, 'works')), 20_000);
}

function shell(user: User, line: string, env: Readonly<Record<string, string>> = user.env): void {
  const child = spawn('/bin/sh', ['-c', line], { cwd: user.project, env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
}

async function answer(user: User): Promise<string> {
  const file = path.join(user.project, 'answer');
  await vi.waitUntil(() => existsSync(file), 20_000);
  return readFileSync(file, 'utf8');
}

const STEER = `{ ${CALL} steer hello >part 2>&1; mv part answer; }`;

const PEOPLE: Ways = [
  ['a program without a terminal, as a step of CI', STEER, IS_LINUX],
  ['the background of a script', `${STEER} & wait`, IS_LINUX],
  ['a script that has ended', `(${STEER} &)`, IS_LINUX],
  ['a terminal', `script -qec '${STEER.replaceAll("'", `'\\''`)}' /dev/null`, HAS_SCRIPT],
  ['a session of its own in a terminal that stays', `setsid -w sh -c '${STEER.replaceAll("'", `'\\''`)}'`, IS_LINUX],
  [
    'a tmux that was started since',
    `tmux -S "$PWD/sock" -f /dev/null new -d '${STEER.replaceAll("'", '"')}'`,
    HAS_TMUX,
  ],
];

describe.each([
  ['contained', []],
  ['not contained', ['--no-contain']],
])('while the agent is %s, a person may call from', (_, flags) => {
  it.each(PEOPLE.filter(([, , isPossible]) => isPossible))('%s', async (__, line) => {
    const user = aUser();
    await aWorkingLoop(user, flags);
    shell(user, line);
    expect(await answer(user)).not.toContain('AGENT_REFUSED');
    expect(onlyLoop(user).state.attemptsRefused ?? 0).toBe(0);
  });

  it.runIf(IS_LINUX)('a service that was there before, such as cron', async () => {
    const user = aUser();
    symlinkSync('/bin/sh', path.join(user.project, 'crond'));
    const job = `until test -f works; do sleep 0.05; done; setsid -w sh -c '${STEER.replaceAll("'", `'\\''`)}'`;
    shell(user, `exec setsid ./crond -c "$JOB"`, { ...user.env, JOB: job });
    await aWorkingLoop(user, flags);
    expect(await answer(user)).not.toContain('AGENT_REFUSED');
  });

  it.runIf(UNSHARES)('a container that was there before', async () => {
    const user = aUser();
    const job = `touch ready; until test -f works; do sleep 0.05; done; ${STEER}`;
    shell(user, `exec unshare -p --fork --mount-proc sh -c "$JOB"`, { ...user.env, JOB: job });
    await vi.waitUntil(() => existsSync(path.join(user.project, 'ready')), 20_000);
    await aWorkingLoop(user, flags);
    expect(await answer(user)).not.toContain('AGENT_REFUSED');
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from './ids.ts';
import { processTable } from './process-table.ts';
import { startWatchdog, watchdogCommand } from './watchdog.ts';

let bundle = '';
let directory = '';
const started: number[] = [];

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'tireless-watchdog-bundle-'));
  const build = await rolldown({ input: fileURLToPath(new URL('watchdog.ts', import.meta.url)), platform: 'node' });
  await build.write({ file: join(bundle, 'watchdog.mjs'), format: 'esm' });
  await build.close();
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tireless-watchdog-'));
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const isRunning = (pid: number): boolean => processTable().startTimeOf(pid) !== undefined;

type Story = { driver: ChildProcess; dog: number; agent: number; detached: number; stranger: number; released: number };

/** A driver with an agent in its own group, a detached process of the loop, one of another loop, and a released group. */
async function startDriver(loopId: string, last: string): Promise<Story> {
  const program = join(directory, 'driver.mjs');
  writeFileSync(
    program,
    `import { spawn } from 'node:child_process';
     import { startWatchdog } from ${JSON.stringify(join(bundle, 'watchdog.mjs'))};
     const loop = ${JSON.stringify(loopId)};
     const start = (env) => spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH, ...env } });
     const dog = startWatchdog(loop);
     const agent = start({}), detached = start({ A: '1\\n2', TIRELESS_LOOP: loop }), stranger = start({ TIRELESS_LOOP: loop + 'x' }), released = start({});
     for (const child of [agent, released, agent]) dog.guard(child.pid);
     dog.release(released.pid);
     for (const child of [agent, detached, stranger, released]) child.unref();
     console.log(JSON.stringify({ dog: dog.pid, agent: agent.pid, detached: detached.pid, stranger: stranger.pid, released: released.pid }));
     ${last}`,
  );
  const driver = spawn(process.execPath, [program], {
    env: { ...process.env, TIRELESS_LOOP: 'outer', TIRELESS_SPAWN: 'outer' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(driver.pid ?? 0);
  const [line] = await once(driver.stdout, 'data');
  const pids: Omit<Story, 'driver'> = JSON.parse(String(line));
  started.push(...Object.values(pids));
  return { driver, ...pids };
}

async function gone(...pids: number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 8000 });
}

const KEEP_RUNNING = 'setInterval(() => {}, 1000);';

describe.runIf(process.platform !== 'win32')('startWatchdog', () => {
  it('ends the agent group and the detached process of a driver that was killed, and nobody else', async () => {
    const story = await startDriver(newId(), KEEP_RUNNING);
    story.driver.kill('SIGKILL');
    await gone(story.agent, story.detached, story.dog);
    expect([story.stranger, story.released].map(isRunning)).toEqual([true, true]);
  });

  it('does the same for a driver that ended without closing it', async () => {
    const story = await startDriver(newId(), 'process.exitCode = 1;');
    await gone(story.driver.pid ?? 0, story.agent, story.detached);
    expect([story.stranger, story.released].map(isRunning)).toEqual([true, true]);
  });

  it('leaves and touches nobody when it was closed', async () => {
    const story = await startDriver(newId(), 'dog.close();');
    await gone(story.dog);
    expect([story.agent, story.detached].map(isRunning)).toEqual([true, true]);
  });

  it('survives the signals of a terminal and carries no mark itself', async () => {
    const story = await startDriver(newId(), KEEP_RUNNING);
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(story.dog, signal);
    const table = processTable();
    expect(table.carriers(['TIRELESS_LOOP=outer', 'TIRELESS_SPAWN=outer'])).not.toContain(story.dog);
    expect(table.list().find((row) => row.pid === story.dog)?.pgid).toBe(story.dog);
    story.driver.kill('SIGKILL');
    await gone(story.agent, story.detached);
  });

  it('does not disturb the driver when it dies first', async () => {
    const dog = startWatchdog(newId());
    const pid = dog.pid ?? 0;
    started.push(pid);
    process.kill(pid, 'SIGKILL');
    await gone(pid);
    dog.guard(999_999_999);
    dog.release(999_999_999);
    dog.close();
    await vi.waitFor(() => expect(dog.pid).toBe(pid));
  });
});

/** The programs for other systems, run here with a stand-in for the tool they call. */
describe.runIf(process.platform !== 'win32')('watchdogCommand', () => {
  function standIn(name: string, script: string): void {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }

  async function talk(command: { file: string; args: string[] }, lines: string): Promise<void> {
    const dog = spawn(command.file, command.args, {
      env: { PATH: `${directory}:${process.env['PATH']}` },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    started.push(dog.pid ?? 0);
    dog.stdin.end(lines);
    await once(dog, 'exit');
  }

  function sleeper(): number {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    started.push(child.pid ?? 0);
    return child.pid ?? 0;
  }

  it('asks ps on macOS and compares whole words', async () => {
    const [guarded, marked, stranger] = [sleeper(), sleeper(), sleeper()];
    standIn(
      'ps',
      `[ "$*" = "-A -wwE -o pid= -o command=" ] || exit 1\necho "  ${marked} sleep 60 HOME=/Users/ada TIRELESS_LOOP=abc LANG=C"\necho " ${stranger} sleep 60 TIRELESS_LOOP=abcd"`,
    );
    await talk(watchdogCommand('abc', 'darwin'), `guard ${guarded}\n`);
    await gone(guarded, marked);
    expect(isRunning(stranger)).toBe(true);
  });

  it('ends the trees of the guarded processes with taskkill on Windows', async () => {
    standIn('taskkill', `echo "$*" >>"${directory}/asked"`);
    await talk(watchdogCommand('abc', 'win32'), 'guard 11\nguard 12\nrelease 11\nguard 13\n');
    expect(readFileSync(join(directory, 'asked'), 'utf8')).toBe('/T /F /PID 12\n/T /F /PID 13\n');
  });

  it('ends nobody on Windows after a close', async () => {
    standIn('taskkill', `echo "$*" >>"${directory}/asked"`);
    await talk(watchdogCommand('abc', 'win32'), 'guard 11\nclose\n');
    expect(existsSync(join(directory, 'asked'))).toBe(false);
  });
});

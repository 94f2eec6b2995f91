import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CELLS, isContained } from '../../test/support/cells.ts';
import { processTable } from './process-table.ts';
import { shellFor, spawnCommand, type SpawnRequest, type SpawnResult } from './spawn.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tireless-spawn-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Pids inside a namespace are different: no process that carries the spawn's mark may be left. */
const isRunning = (pid: number): boolean =>
  isContained(cell)
    ? processTable().carriers([`MARK=${directory}`]).length > 0
    : processTable().startTimeOf(pid) !== undefined;

let cell: SpawnRequest['contain'];

function request(command: string, changes: Partial<SpawnRequest> = {}): SpawnRequest {
  const environment = { MARK: directory, ...changes.environment };
  return { command, cwd: directory, tailBytesMax: 1000, contain: cell, ...changes, environment };
}

async function run(command: string, changes: Partial<SpawnRequest> = {}): Promise<SpawnResult> {
  return await spawnCommand(request(command, changes)).done;
}

function node(script: string): string {
  const file = join(directory, 'script.cjs');
  writeFileSync(file, script);
  return `"${process.execPath}" "${file}"`;
}

/** Starts `sleep` in a session of its own that keeps our output open, and writes its pid to a file. */
const LEAVE_SLEEPER = `
  const child = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' });
  require('node:fs').writeFileSync('sleeper', String(child.pid));
  child.unref();
  console.log('done');`;

describe.runIf(process.platform !== 'win32').each(CELLS)('spawnCommand $title', ({ contain, skips }) => {
  beforeEach(({ skip }) => {
    cell = contain;
    if (skips !== null) skip(skips);
  });

  it('runs the command in its directory, with its environment, and tells how it ended', async () => {
    const result = await run('pwd; echo "$GREETING" >&2; exit 3', { environment: { GREETING: 'hello' } });
    expect(result).toMatchObject({ exitCode: 3, signal: null, stderrTail: 'hello\n', stderrBytes: 6, leftovers: 0 });
    expect(result.stdoutTail).toContain('tireless-spawn-');
    expect(result).not.toHaveProperty('trouble');
  });

  it('is a group of its own that carries its spawn id', async () => {
    const pids: number[] = [];
    const spawned = spawnCommand(
      request('echo $TIRELESS_SPAWN; ps -o pgid= -p $$', { onStarted: (pid) => pids.push(pid) }),
    );
    const { stdoutTail } = await spawned.done;
    expect(pids).toEqual([spawned.pid]);
    const [spawnId, group, rest] = stdoutTail.split('\n').map((line) => line.trim());
    expect([spawnId, rest]).toEqual([spawned.spawnId, '']);
    expect(group).toBe(isContained(cell) ? '2' : String(spawned.pid));
  });

  it('passes a prompt of megabytes over stdin', async () => {
    const result = await run('wc -c', { stdin: 'x'.repeat(5_000_000) });
    expect(result.stdoutTail.trim()).toBe('5000000');
  });

  it('takes no offence when the child does not read its input', async () => {
    expect(await run('exit 0', { stdin: 'x'.repeat(5_000_000) })).toMatchObject({ exitCode: 0, leftovers: 0 });
    expect(await run('exec 0<&-; echo closed', { stdin: 'x'.repeat(5_000_000) })).toMatchObject({
      exitCode: 0,
      stdoutTail: 'closed\n',
    });
  });

  it('gives an empty input when there is none', async () => {
    expect(await run('cat; echo end')).toMatchObject({ exitCode: 0, stdoutTail: 'end\n' });
  });

  it('keeps memory flat while 200 MB go through, and the end of them', async () => {
    const before = process.memoryUsage.rss();
    let rssMax = 0;
    let bytes = 0;
    const result = await run('head -c 200000000 /dev/zero | tr "\\0" x; echo END', {
      onOutput: (_, text) => {
        bytes += text.length;
        rssMax = Math.max(rssMax, process.memoryUsage.rss());
      },
    });
    expect(result.stdoutBytes).toBe(200_000_004);
    expect(bytes).toBe(200_000_004);
    expect(result.stdoutTail).toBe(`${'x'.repeat(996)}END\n`);
    expect(rssMax - before).toBeLessThan(100_000_000);
  });

  it('keeps characters whole, across chunks and at the cut', async () => {
    const heard: string[] = [];
    const script = node(`
      const bytes = Buffer.from('é漢🙂'.repeat(300));
      for (let index = 0; index < bytes.length; index += 1) require('node:fs').writeSync(1, bytes, index, 1);`);
    const result = await run(script, { tailBytesMax: 100, onOutput: (_, text) => heard.push(text) });
    expect(heard.join('')).toBe('é漢🙂'.repeat(300));
    expect(result.stdoutTail).not.toContain('�');
    expect('é漢🙂'.repeat(300).endsWith(result.stdoutTail)).toBe(true);
    expect(Buffer.byteLength(result.stdoutTail)).toBeGreaterThan(96);
  });

  it('shows bytes that are no text without a fault', async () => {
    expect(
      (await run(String.raw`printf '\377\200\200\200\200'`, { tailBytesMax: 3 })).stdoutTail.length,
    ).toBeLessThanOrEqual(3);
  });

  it('does not hang when a detached process holds the pipe, and ends that process', async () => {
    const result = await run(node(LEAVE_SLEEPER));
    const sleeper = Number(readFileSync(join(directory, 'sleeper'), 'utf8'));
    expect(result).toMatchObject({ exitCode: 0, stdoutTail: 'done\n', leftovers: 1 });
    expect(isRunning(sleeper)).toBe(false);
  });

  it('settles when a leftover prints without end', async () => {
    const result = await run('(trap "" PIPE; while :; do echo noise; sleep 0.02; done) 2>/dev/null & echo $!');
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.leftovers).toBeGreaterThanOrEqual(1);
    expect(isRunning(Number.parseInt(result.stdoutTail, 10))).toBe(false);
  });

  it('lets leftovers run when asked to, and counts them', async ({ skip }) => {
    if (isContained(cell)) skip('nothing outlives a namespace');
    const result = await run(node(LEAVE_SLEEPER), { keepLeftovers: true });
    const sleeper = Number(readFileSync(join(directory, 'sleeper'), 'utf8'));
    expect(result.leftovers).toBe(1);
    expect(isRunning(sleeper)).toBe(true);
    process.kill(sleeper, 'SIGKILL');
  });

  it('ends everything that came out of it when killed', async () => {
    const spawned = spawnCommand(request(`trap "" TERM; ${node(LEAVE_SLEEPER)}; while :; do sleep 1; done`));
    const sleeper = await vi.waitFor(() => Number(readFileSync(join(directory, 'sleeper'), 'utf8')), { timeout: 5000 });
    await spawned.kill(50);
    expect(await spawned.done).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect([sleeper, spawned.pid ?? 0].map(isRunning)).toEqual([false, false]);
    await expect(spawned.kill(50)).resolves.toBeUndefined();
  });

  it('hurries when it is killed again with less grace', async () => {
    const spawned = spawnCommand(
      request('trap "" TERM; echo ready; while :; do sleep 1; done', { onOutput: () => void twice() }),
    );
    const twice = async (): Promise<void> => {
      void spawned.kill(60_000);
      await spawned.kill(0);
    };
    expect(await spawned.done).toMatchObject({ signal: 'SIGKILL' });
  });

  it('names a missing directory', async () => {
    const cwd = join(directory, 'missing');
    const spawned = spawnCommand(request('true', { cwd }));
    expect(spawned.pid).toBeUndefined();
    expect(await spawned.done).toMatchObject({
      exitCode: null,
      trouble: 'cwd-missing',
      troubleDetail: `The directory ${cwd} does not exist.`,
    });
    await expect(spawned.kill(10)).resolves.toBeUndefined();
  });

  it('names a command that is not there or may not run', async () => {
    const missing = await run('no-such-agent --go');
    expect(missing).toMatchObject({ exitCode: 127, trouble: 'not-found' });
    expect(missing.troubleDetail).toContain('no-such-agent');
    writeFileSync(join(directory, 'plain.txt'), 'text');
    expect(await run('./plain.txt')).toMatchObject({ exitCode: 126, trouble: 'not-executable' });
  });

  it('does not reject when the system cannot start it at all', async () => {
    expect(await run(`true ${'x'.repeat(4_000_000)}`)).toMatchObject({ exitCode: null, trouble: 'spawn-failed' });
    expect(await run('true\0')).toMatchObject({ exitCode: null, trouble: 'spawn-failed' });
  });
});

describe('shellFor', () => {
  it('quotes for cmd.exe as it wants it', () => {
    const windows = { os: 'win32', env: { ComSpec: 'C:\\cmd.exe' }, home: '' } as const;
    expect(shellFor('echo "a b"', windows)).toEqual({
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', '"echo "a b""'],
      isWindows: true,
    });
    expect(shellFor('x', { ...windows, env: {} }).file).toBe('cmd.exe');
  });
});

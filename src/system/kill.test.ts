import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from './ids.ts';
import {
  findLeftovers,
  killEverything,
  killEverythingNow,
  killing,
  processEnder,
  sweepLeftovers,
  type ProcessEnder,
} from './kill.ts';
import { processTable, type ProcessRow, type ProcessTable } from './process-table.ts';

let directory = '';
let mark = '';
const started: number[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tireless-kill-'));
  mark = `TIRELESS_SPAWN=${newId()}`;
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const marked = (): Record<string, string> => ({ TIRELESS_SPAWN: mark.slice('TIRELESS_SPAWN='.length) });
const isRunning = (pid: number): boolean => processTable().startTimeOf(pid) !== undefined;

function start(file: string, args: string[], environment: Record<string, string> = {}): ChildProcess & { pid: number } {
  const child = spawn(file, args, {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${file}`);
  started.push(pid);
  return Object.assign(child, { pid });
}

async function ready(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('no output to wait for');
  await once(child.stdout, 'data');
}

/** The pid that a process wrote to a file. */
async function pidIn(name: string): Promise<number> {
  return await vi.waitFor(
    () => {
      const pid = Number(readFileSync(join(directory, name), 'utf8'));
      expect(pid).toBeGreaterThan(1);
      if (!started.includes(pid)) started.push(pid);
      return pid;
    },
    { timeout: 5000 },
  );
}

/** Starts `sleep` in a session of its own, with the given environment, and writes its pid to a file. */
function detachedSleep(name: string, environment: string): string {
  return `
    const child = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: ${environment} });
    require('node:fs').writeFileSync(${JSON.stringify(join(directory, name))}, String(child.pid));
    child.unref();`;
}

describe.runIf(process.platform !== 'win32')('killEverything', () => {
  it('asks first, and kills nobody who ends within the grace', async () => {
    const child = start('sh', ['-c', 'echo ready; sleep 60 & wait']);
    await ready(child);
    const report = await killEverything({ pids: [child.pid], environment: [], graceMs: 5000 });
    expect(report).toMatchObject({ killed: [], survivors: [] });
    expect(report.found).toContain(child.pid);
    expect(report.found.length).toBeGreaterThanOrEqual(2);
  });

  it('kills a child that ignores SIGTERM', async () => {
    const child = start('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done']);
    await ready(child);
    const report = await killEverything({ pids: [child.pid], environment: [], graceMs: 100 });
    expect(report.killed).toContain(child.pid);
    expect(report.survivors).toEqual([]);
    expect(isRunning(child.pid)).toBe(false);
  });

  it('lets a stopped process end in its own way', async () => {
    const child = start('sh', ['-c', 'echo ready; sleep 60 & wait']);
    await ready(child);
    process.kill(child.pid, 'SIGSTOP');
    const report = await killEverything({ pids: [child.pid], environment: [], graceMs: 5000 });
    expect(report).toMatchObject({ killed: [], survivors: [] });
  });

  it('finds a process that forked twice into a session of its own by its environment', async () => {
    const child = start(process.execPath, ['-e', detachedSleep('grandchild', 'process.env')], marked());
    const exit = once(child, 'exit');
    const grandchild = await pidIn('grandchild');
    await exit;
    const report = await killEverything({ pids: [child.pid], environment: [mark], graceMs: 2000 });
    expect(report.found).toEqual([grandchild]);
    expect(isRunning(grandchild)).toBe(false);
  });

  it('finds a detached process with an emptied environment while its parent lives', async () => {
    const child = start(process.execPath, ['-e', `${detachedSleep('grandchild', '{}')} setInterval(() => {}, 1000);`]);
    const grandchild = await pidIn('grandchild');
    await killEverything({ pids: [child.pid], environment: [], graceMs: 2000 });
    expect(isRunning(grandchild)).toBe(false);
  });

  it('ends a process that appears while the others are ending', async () => {
    const file = join(directory, 'late');
    const child = start(
      'sh',
      [
        '-c',
        `trap 'sh -c "trap \\"\\" TERM; echo \\$\\$ >${file}; exec sleep 60" & exit' TERM; echo ready; while :; do sleep 0.05; done`,
      ],
      marked(),
    );
    await ready(child);
    const report = await killEverything({ pids: [child.pid], environment: [mark], graceMs: 300 });
    const late = await pidIn('late');
    expect(report.killed).toContain(late);
    expect(isRunning(late)).toBe(false);
  });

  it('reports nothing when nobody is there', async () => {
    expect(await killEverything({ pids: [], environment: [mark], graceMs: 5000 })).toEqual({
      found: [],
      killed: [],
      survivors: [],
    });
  });
});

describe.runIf(process.platform !== 'win32')('killEverythingNow', () => {
  it('ends a stubborn group before it returns', async () => {
    const child = start('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done']);
    await ready(child);
    expect(killEverythingNow({ pids: [child.pid], environment: [] }).survivors).toEqual([]);
    expect(isRunning(child.pid)).toBe(false);
  });
});

describe.runIf(process.platform !== 'win32')('sweepLeftovers', () => {
  it('ends what a command left running in its group', async () => {
    const child = start('sh', ['-c', 'sleep 60 >/dev/null & echo $!']);
    const exit = once(child, 'exit');
    const output = once(child.stdout ?? child, 'data');
    const leftover = Number(String((await output)[0]));
    started.push(leftover);
    await exit;
    const ended = { pid: child.pid, environment: [mark], durationMs: 10 };
    expect(findLeftovers(ended)).toEqual([leftover]);
    expect(await sweepLeftovers(ended)).toBe(1);
    expect(isRunning(leftover)).toBe(false);
    expect(await sweepLeftovers(ended)).toBe(0);
  });
});

describe('findLeftovers', () => {
  const asked: (number | undefined)[] = [];
  const table = (newest: number | undefined): ProcessTable => ({
    ...fakeTable([]),
    carriers: (_, newerThan) => {
      asked.push(newerThan);
      return [];
    },
    newestPid: () => newest,
  });

  it.each([
    ['only younger processes', 99_999_999, 100, 99_000_000],
    ['everyone when the pid counter came round', 40, 100, 0],
    ['everyone when it cannot be told', undefined, 100, 0],
    ['everyone after a long run', 99_999_999, 60_000, 0],
  ])('looks at %s', (_, newest, durationMs, newerThan) => {
    findLeftovers({ pid: 99_000_000, environment: [mark], durationMs }, table(newest));
    expect(asked.pop()).toBe(newerThan);
  });
});

describe('killing', () => {
  const self = process.pid;
  const rows: ProcessRow[] = [
    { pid: 1, ppid: 0, pgid: 1 },
    { pid: 50, ppid: 1, pgid: 50 },
    { pid: self, ppid: 50, pgid: 50 },
    { pid: 9_000_001, ppid: self, pgid: 9_000_001 },
    { pid: 9_000_002, ppid: 9_000_001, pgid: 9_000_002 },
    { pid: 9_000_003, ppid: 50, pgid: 50 },
  ];

  it('never ends itself, its ancestors or the first process, and spares the group they are in', () => {
    const ended: ProcessEnder['end'] = vi.fn<ProcessEnder['end']>();
    run(
      killing({ pids: [0, 1, 50, self], environment: [mark], graceMs: 0 }, fakeTable(rows, [self, 50, 1]), {
        end: ended,
      }),
    );
    expect(ended).toHaveBeenCalledWith({ pids: [9_000_003], groups: [] });
  });

  it('gives up after bounded rounds and names the survivors', () => {
    const end = vi.fn<ProcessEnder['end']>();
    const report = run(killing({ pids: [9_000_001], environment: [], graceMs: 0 }, fakeTable(rows), { end }));
    expect(report.survivors).toEqual([9_000_001, 9_000_002]);
    expect(end.mock.calls.length).toBeLessThanOrEqual(40);
    expect(end).toHaveBeenCalledWith({ pids: [9_000_001, 9_000_002], groups: [9_000_001, 9_000_002] });
  });

  it('still knows a child whose parent is gone, but not a stranger with its pid', () => {
    let current = rows;
    let startTime = 'first';
    const table: ProcessTable = { ...fakeTable([]), list: () => current, startTimeOf: () => startTime };
    const end = vi.fn<ProcessEnder['end']>(() => {
      if (end.mock.calls.length === 1) current = [{ pid: 9_000_002, ppid: 1, pgid: 9_000_002 }];
      else startTime = 'another';
    });
    const report = run(killing({ pids: [9_000_001], environment: [], graceMs: 0 }, table, { end }));
    expect(end.mock.calls.map(([sighting]) => sighting.pids)).toEqual([[9_000_001, 9_000_002], [9_000_002]]);
    expect(report.survivors).toEqual([]);
  });

  it('ends trees with taskkill on Windows, without a grace nobody would hear', () => {
    const asked: string[] = [];
    let current = rows;
    const ender = processEnder('win32', (command, args) => {
      asked.push(`${command} ${args.join(' ')}`);
      current = [];
      return '';
    });
    const table: ProcessTable = { ...fakeTable([]), list: () => current };
    expect(run(killing({ pids: [9_000_001], environment: [], graceMs: 60_000 }, table, ender)).survivors).toEqual([]);
    expect(asked).toEqual(['taskkill /T /F /PID 9000001 /PID 9000002']);
  });
});

function fakeTable(rows: readonly ProcessRow[], carriers: readonly number[] = []): ProcessTable {
  return {
    list: () => [...rows],
    carriers: () => [...carriers],
    environmentHas: () => false,
    startTimeOf: () => 'start',
  };
}

function run<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

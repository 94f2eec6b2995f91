import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { darwinProcessTable, parseCarriers, parseRows } from './process-table-darwin.ts';
import { parseStat } from './process-table-linux.ts';
import { parseProcesses, windowsProcessTable, withoutForeignParents } from './process-table-windows.ts';
import { processTable } from './process-table.ts';
import type { RunTool } from './run-tool.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function sleeper(environment: Record<string, string>): number {
  const child = spawn('sleep', ['60'], { env: { ...process.env, ...environment }, detached: true, stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

describe.runIf(process.platform !== 'win32')('processTable', () => {
  it('lists this process with its parent, and a child in its own group', () => {
    const pid = sleeper({});
    const rows = processTable().list();
    expect(rows.find((row) => row.pid === process.pid)).toMatchObject({ ppid: process.ppid });
    expect(rows.find((row) => row.pid === pid)).toEqual({ pid, ppid: process.pid, pgid: pid });
  });

  it('finds processes by a whole entry of their environment', async () => {
    const pid = sleeper({ TIRELESS_TEST: 'abc', OTHER_TIRELESS_TEST: 'xyz' });
    const table = processTable();
    // Between fork and exec the child still has our environment.
    await vi.waitFor(() => expect(table.carriers(['TIRELESS_TEST=abc'])).toEqual([pid]));
    expect(table.environmentHas(pid, 'TIRELESS_TEST=abc')).toBe(true);
    expect(table.environmentHas(pid, 'TIRELESS_TEST=ab')).toBe(false);
    expect(table.environmentHas(pid, 'TIRELESS_TEST=xyz')).toBe(false);
    expect(table.carriers(['TIRELESS_TEST=abc'], pid)).toEqual([]);
    expect(table.carriers(['TIRELESS_TEST=abc'], pid - 1)).toEqual([pid]);
    expect(table.carriers([])).toEqual([]);
  });

  it('gives a process the same start time every time, and none once it ended', async () => {
    const pid = sleeper({});
    const table = processTable();
    expect(table.startTimeOf(pid)).toBe(table.startTimeOf(pid));
    expect(table.startTimeOf(pid)).toMatch(/\d/u);
    children[0]?.kill('SIGKILL');
    await vi.waitFor(() => expect(table.startTimeOf(pid)).toBeUndefined());
    expect(table.environmentHas(pid, 'PATH=')).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('processTable on Linux', () => {
  it('knows the newest pid', () => {
    const pid = sleeper({});
    expect(processTable().newestPid?.()).toBeGreaterThanOrEqual(pid);
  });
});

describe('parseStat', () => {
  const after = ' S 41 42 42 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 200';

  it('reads past a process name with brackets and spaces', () => {
    expect(parseStat(`43 (a) b (c)${after}`)).toEqual({
      pid: 43,
      ppid: 41,
      pgid: 42,
      session: 42,
      terminal: 0,
      startTime: '987654',
    });
  });

  it('leaves out zombies and what it cannot read', () => {
    expect(parseStat(`43 (a)${after.replace(' S ', ' Z ')}`)).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('43 (a) S 41')).toBeUndefined();
  });
});

describe('darwinProcessTable', () => {
  const answers: Record<string, string> = {
    'ps -A -o pid= -o ppid= -o pgid= -o state=': '    1     0     1 Ss  \n  501     1   501 S+\n  777   501   501 Z\n',
    'ps -A -wwE -o pid= -o command=':
      '  501 node agent.js --x HOME=/Users/ada TIRELESS_SPAWN=abc LANG=C\n  502 sleep 60 TIRELESS_SPAWN=abcd\n',
    'ps -p 501 -wwE -o pid= -o command=': '  501 node agent.js TIRELESS_SPAWN=abc\n',
    'ps -p 501 -o state= -o lstart=': 'S+   Sun Nov 15 19:54:12 2026    \n',
    'ps -p 777 -o state= -o lstart=': 'Z    Sun Nov 15 19:54:12 2026    \n',
  };
  const run: RunTool = (command, args) => answers[`${command} ${args.join(' ')}`];
  const table = darwinProcessTable(run);

  it('reads rows and leaves out zombies', () => {
    expect(table.list()).toEqual([
      { pid: 1, ppid: 0, pgid: 1 },
      { pid: 501, ppid: 1, pgid: 501 },
    ]);
    expect(parseRows('garbage\n\n')).toEqual([]);
  });

  it('finds carriers by whole words', () => {
    expect(table.carriers(['TIRELESS_SPAWN=abc'])).toEqual([501]);
    expect(table.carriers(['TIRELESS_SPAWN=abc'], 501)).toEqual([]);
    expect(table.environmentHas(501, 'TIRELESS_SPAWN=abc')).toBe(true);
    expect(parseCarriers('', ['A=1'])).toEqual([]);
  });

  it('reads the start time, and none for a zombie or nobody', () => {
    expect(table.startTimeOf(501)).toBe('Sun Nov 15 19:54:12 2026');
    expect(table.startTimeOf(777)).toBeUndefined();
    expect(table.startTimeOf(999)).toBeUndefined();
  });
});

describe('windowsProcessTable', () => {
  const text =
    '0 0 0\r\n4 0 0\r\n100 4 133000000000000000\r\n200 100 133000000000000005\r\n300 200 133000000000000001\r\n';

  it('reads rows and drops a parent that is younger than its child', () => {
    expect(withoutForeignParents(parseProcesses(text))).toEqual([
      { pid: 0, ppid: 0, pgid: 0 },
      { pid: 4, ppid: 0, pgid: 0 },
      { pid: 100, ppid: 4, pgid: 0 },
      { pid: 200, ppid: 100, pgid: 0 },
      { pid: 300, ppid: 0, pgid: 0 },
    ]);
  });

  it('asks PowerShell, for one process by its id', () => {
    const asked: string[] = [];
    const table = windowsProcessTable((command, args) => {
      asked.push(`${command} ${args.at(-1)}`);
      return text;
    });
    expect(table.startTimeOf(200)).toBe('133000000000000005');
    expect(asked[0]).toContain("powershell.exe Get-CimInstance Win32_Process -Filter 'ProcessId=200'");
    expect(table.carriers(['A=1'])).toEqual([]);
    expect(table.environmentHas(200, 'A=1')).toBe(false);
  });

  it('knows nobody when PowerShell is missing', () => {
    const table = windowsProcessTable(() => undefined);
    expect(table.list()).toEqual([]);
    expect(table.startTimeOf(4)).toBeUndefined();
  });
});

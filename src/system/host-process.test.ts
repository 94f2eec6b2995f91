import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostProcess } from './host-process.ts';

function aTable(rows: Readonly<Record<number, readonly [name: string, parent: number]>>): string {
  const proc = mkdtempSync(path.join(tmpdir(), 'tireless-proc-'));
  onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
  for (const [pid, [name, parent]] of Object.entries(rows)) {
    mkdirSync(path.join(proc, pid));
    writeFileSync(path.join(proc, pid, 'stat'), `${pid} (${name}) S ${parent} 1 1 ${'0 '.repeat(15)}77 0`);
  }
  return proc;
}

it('is the nearest ancestor of a hook that is not a shell', () => {
  const proc = aTable({ 30: ['sh', 20], 20: ['bash', 10], 10: ['claude (x)', 5], 5: ['tmux', 1] });
  expect(hostProcess({ pid: 30, proc, os: 'linux' })).toBe(10);
  expect(hostProcess({ pid: 10, proc, os: 'linux' })).toBe(10);
});

it('is unknown where nothing can be seen', () => {
  expect(hostProcess({ pid: 30, proc: aTable({ 30: ['sh', 1] }), os: 'linux' })).toBeUndefined();
  expect(hostProcess({ pid: 30, proc: aTable({}), os: 'linux' })).toBeUndefined();
  expect(hostProcess({ pid: 30, proc: aTable({ 30: ['claude', 1] }), os: 'windows' })).toBeUndefined();
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Worker } from '../core/loop.ts';
import { systemClock } from './clock.ts';
import { processTable } from './process-table.ts';
import { isWorkerAlive, thisMachine, thisWorker, type ThisHost } from './worker-identity.ts';

const here: ThisHost = {
  machine: 'box',
  boot: 'boot-a',
  pids: '4026531836',
  table: { startTimeOf: (pid) => (pid === 7 ? '123' : undefined) },
};
const worker: Worker = { id: 'w', machine: 'box', boot: 'boot-a', pid: 7, startTime: '123@4026531836' };

describe('isWorkerAlive', () => {
  it.each<[string, Partial<Worker>, boolean | 'elsewhere']>([
    ['alive when all is the same', {}, true],
    ['dead when its pid is gone', { pid: 8 }, false],
    ['dead when its pid was given to another process', { startTime: '122@4026531836' }, false],
    ['dead after a restart of the machine', { boot: 'boot-b' }, false],
    ['elsewhere on another machine, whatever runs here', { machine: 'other' }, 'elsewhere'],
    ['elsewhere in another pid namespace of this machine', { startTime: '123@4026532999' }, 'elsewhere'],
    ['believed by its pid when it could not learn its start time', { startTime: 'unknown@4026531836' }, true],
  ])('is %s', (_, changes, expected) => {
    expect(isWorkerAlive({ ...worker, ...changes }, here)).toBe(expected);
  });

  it('sees this process alive and an ended one dead', async () => {
    const self = thisWorker(systemClock());
    expect(isWorkerAlive(self)).toBe(true);
    expect(self).toMatchObject({ pid: process.pid, machine: thisMachine() });
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const [, namespace] = self.startTime.split('@');
    const other = { ...self, pid, startTime: `${processTable().startTimeOf(pid)}@${namespace}` };
    expect(isWorkerAlive(other)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isWorkerAlive(other)).toBe(false);
  });

  it('gives every worker of one process its own id', () => {
    expect(thisWorker(systemClock()).id).not.toBe(thisWorker(systemClock()).id);
  });
});

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Worker } from '../core/loop.ts';
import { currentBoot, isSameBoot } from './boot.ts';
import type { Clock } from './clock.ts';
import { ignoringErrno } from './errno.ts';
import { newId, sha256 } from './ids.ts';
import { processTable, type ProcessTable } from './process-table.ts';

/** Where and when we are, for comparison with a worker recorded earlier. */
export type ThisHost = {
  readonly machine: string;
  readonly boot: string;
  readonly pids: string;
  readonly table: Pick<ProcessTable, 'startTimeOf'>;
};

export function thisWorker(clock: Clock): Worker {
  return workerOf(process.pid, clock);
}

/** Any process of this machine, so that it can be recognised later. */
export function workerOf(pid: number, clock: Clock): Worker {
  const here = { ...hereNow(), boot: clock.read().boot };
  const started = here.table.startTimeOf(pid) ?? 'unknown';
  return {
    id: newId(),
    machine: here.machine,
    boot: here.boot,
    pid,
    startTime: `${started}@${here.pids}`,
  };
}

/**
 * `'elsewhere'` = unknown: another machine, or another pid namespace of this one (a container, an agent's sandbox), where the same pid means another
 * process. Only `false` means that the worker is dead.
 */
export function isWorkerAlive(worker: Worker, here: ThisHost = hereNow()): boolean | 'elsewhere' {
  if (worker.machine !== here.machine) return 'elsewhere';
  if (!isSameBoot(worker.boot, here.boot)) return false;
  const [started, pids] = splitStart(worker.startTime);
  if (pids !== here.pids) return 'elsewhere';
  const current = here.table.startTimeOf(worker.pid);
  // A worker that could not determine its own start time counts as alive while its pid exists.
  return current !== undefined && (started === 'unknown' || current === started);
}

/** Both are processes of the same machine and can see each other. */
export function sharesProcesses(a: Worker, b: Worker): boolean {
  return (
    a.machine === b.machine && isSameBoot(a.boot, b.boot) && splitStart(a.startTime)[1] === splitStart(b.startTime)[1]
  );
}

/**
 * Stable for one installation, and different for hosts that were cloned from one image. According to its manual page, the raw
 * machine id is secret.
 */
export function thisMachine(): string {
  const name = (hostname().split('.')[0] ?? '').toLowerCase() || 'localhost';
  const installation = ignoringErrno(() => readFileSync('/etc/machine-id', 'utf8').trim());
  return installation === undefined || installation === ''
    ? name
    : `${name}-${sha256(`tireless:${installation}`).slice(0, 8)}`;
}

/** Nothing here changes during the life of a process, and a list needs it for every loop. */
let known: ThisHost | undefined;

function hereNow(): ThisHost {
  return (known ??= { machine: thisMachine(), boot: currentBoot(), pids: pidNamespace(), table: processTable() });
}

function pidNamespace(): string {
  return ignoringErrno(() => /\d+/u.exec(readlinkSync('/proc/self/ns/pid'))?.[0]) ?? '';
}

/** `pids`: the process namespace. */
export function splitStart(startTime: string): [started: string, pids: string] {
  const at = startTime.lastIndexOf('@');
  return at < 0 ? [startTime, ''] : [startTime.slice(0, at), startTime.slice(at + 1)];
}

import { readdirSync, readFileSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';

type Stat = ProcessRow & {
  readonly startTime: string;
  readonly session: number;
  /** 0 = it has no terminal. */
  readonly terminal: number;
};

/** Reads `/proc`: no process has to be started, so the common case costs microseconds per process. */
export function linuxProcessTable(proc: string): ProcessTable {
  const statOf = (pid: number): Stat | undefined =>
    parseStat(readIfPossible(`${proc}/${pid}/stat`)?.toString('latin1') ?? '');
  const environmentHasAny = (pid: number, needles: readonly string[]): boolean => {
    const environment = environmentOf(proc, pid);
    if (environment === undefined || environment.length === 0) return false;
    const framed = `\0${environment.toString('latin1')}\0`;
    return needles.some((needle) => framed.includes(needle));
  };
  return {
    list: () =>
      pidsIn(proc).flatMap((pid) => {
        const stat = statOf(pid);
        return stat === undefined ? [] : [{ pid: stat.pid, ppid: stat.ppid, pgid: stat.pgid }];
      }),
    carriers: (entries, newerThan = 0) => {
      const needles = entries.map(needleFor);
      return pidsIn(proc).filter((pid) => pid > newerThan && environmentHasAny(pid, needles));
    },
    environmentHas: (pid, entry) => environmentHasAny(pid, [needleFor(entry)]),
    startTimeOf: (pid) => statOf(pid)?.startTime,
    newestPid: () => {
      const pid = Number(readIfPossible(`${proc}/loadavg`)?.toString('latin1').trim().split(' ').at(-1));
      return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
    },
  };
}

/**
 * `pid (name) state ppid pgrp session …`. The name may contain spaces and brackets, so fields are counted from the last
 * bracket.
 */
export function parseStat(text: string): Stat | undefined {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const fields = text
    .slice(nameEnd + 2)
    .trim()
    .split(' ');
  const [state, ppid, pgid, session, terminal] = fields;
  // Field 22 of the manual; the first two are cut off here.
  const startTime = fields[19];
  if (nameEnd < 0 || !Number.isSafeInteger(pid) || startTime === undefined) return undefined;
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    ppid: Number(ppid),
    pgid: Number(pgid),
    session: Number(session),
    terminal: Number(terminal),
    startTime,
  };
}

const EMPTY_LOOKS_MAX = 5;

/**
 * During its exec a process briefly shows an empty environment; with a single look, a daemon that detached just before its command ended could be
 * missed. Kernel threads and zombies never have an environment.
 */
function environmentOf(proc: string, pid: number): Buffer | undefined {
  let environment = readIfPossible(`${proc}/${pid}/environ`);
  for (let look = 1; look < EMPTY_LOOKS_MAX && environment?.length === 0 && mayBeInExec(proc, pid); look++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    environment = readIfPossible(`${proc}/${pid}/environ`);
  }
  return environment;
}

function mayBeInExec(proc: string, pid: number): boolean {
  const stat = readIfPossible(`${proc}/${pid}/stat`)?.toString('latin1') ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const KERNEL_THREAD = 0x20_0000;
  return fields[0] !== 'Z' && fields[0] !== 'X' && (Number(fields[6]) & KERNEL_THREAD) === 0;
}

/** Whole entries only: `A=1` must not match `A=12` or `BA=1`. */
function needleFor(entry: string): string {
  return `\0${Buffer.from(entry, 'utf8').toString('latin1')}\0`;
}

/** Empty on a system without /proc. */
function pidsIn(proc: string): number[] {
  const names = ignoringErrno(() => readdirSync(proc)) ?? [];
  return names.map(Number).filter((pid) => Number.isSafeInteger(pid) && pid > 0);
}

/** A process may end, or belong to someone else, at any moment. */
function readIfPossible(file: string): Buffer | undefined {
  return ignoringErrno(() => readFileSync(file));
}

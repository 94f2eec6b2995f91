import { readFileSync, readlinkSync } from 'node:fs';
import type { Ancestor, CallerPlace, ControllerPlace } from '../core/caller-place.ts';
import type { Worker } from '../core/loop.ts';
import { ANCESTORS_MAX, ownPid } from './ancestors.ts';
import { currentBoot } from './boot.ts';
import { ignoringErrno } from './errno.ts';
import { currentPlatform } from './paths.ts';
import { parseStat } from './process-table-linux.ts';
import { splitStart } from './worker-identity.ts';

/** Where this process comes from; `undefined` = this system does not show it. */
export function callerPlace(proc = '/proc'): CallerPlace | undefined {
  if (currentPlatform().os !== 'linux') return undefined;
  const line: Ancestor[] = [];
  for (let pid = ownPid(proc); line.length < ANCESTORS_MAX && pid > 0;) {
    const stat = statOf(pid, proc);
    if (stat === undefined) break;
    line.push(stat.ancestor);
    pid = stat.ppid;
  }
  return {
    pids: ignoringErrno(() => /\d+/u.exec(readlinkSync(`${proc}/self/ns/pid`))?.[0]) ?? '',
    boot: currentBoot(),
    firstBegan: statOf(1, proc)?.ancestor.began ?? null,
    hasTerminal: (statOf(ownPid(proc), proc)?.terminal ?? 0) !== 0,
    group: groupOf('self', proc),
    line,
  };
}

export function controllerPlace(kind: ControllerPlace['kind'], worker: Worker, proc = '/proc'): ControllerPlace {
  const [started, pids] = splitStart(worker.startTime);
  const began = Number(started);
  const stat = statOf(worker.pid, proc);
  const isSame = stat !== undefined && stat.ancestor.began === began;
  return {
    kind,
    pids,
    boot: worker.boot,
    pid: worker.pid,
    began: Number.isSafeInteger(began) ? began : null,
    seen: isSame ? { session: stat.ancestor.session, group: groupOf(String(worker.pid), proc) } : null,
  };
}

type Stat = { readonly ancestor: Ancestor; readonly ppid: number; readonly terminal: number };

function statOf(pid: number, proc: string): Stat | undefined {
  const text = ignoringErrno(() => readFileSync(`${proc}/${pid}/stat`, 'latin1')) ?? '';
  const stat = parseStat(text);
  if (stat === undefined) return undefined;
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  const ancestor = { pid, began: Number(stat.startTime), name, session: stat.session };
  return { ancestor, ppid: stat.ppid, terminal: stat.terminal };
}

function groupOf(pid: string, proc: string): string {
  return ignoringErrno(() => readFileSync(`${proc}/${pid}/cgroup`, 'utf8')) ?? '';
}

import { readFileSync, readlinkSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';
import { parseStat } from './process-table-linux.ts';

/** Deeper than any shell in a tool in an agent in a driver; also ends the walk if the process table contains a cycle. */
export const ANCESTORS_MAX = 64;

type Variables = Readonly<Record<string, string>>;

/**
 * The initial environment of a process's ancestors, nearest first, limited to these names. Read from `/proc`, so it yields nothing on other systems
 * or for processes of other users. Includes the first process: in the namespace of an agent it is ours, carries the mark, and adopts every process
 * that leaves its parents.
 */
export function* ancestorVariables(
  names: readonly string[],
  { proc = '/proc', pid = ownPid(proc) }: { readonly pid?: number; readonly proc?: string } = {},
): Generator<Variables> {
  let parent = parentOf(pid, proc);
  for (let step = 0; step < ANCESTORS_MAX && parent !== undefined && parent > 0; step++) {
    yield variablesOf(parent, names, proc);
    parent = parentOf(parent, proc);
  }
}

/** The pid that `/proc` shows: in a process namespace without its own `/proc` (`unshare --pid`), our pid is another process there. */
export function ownPid(proc: string): number {
  const pid = Number(ignoringErrno(() => readlinkSync(`${proc}/self`)));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : process.pid;
}

function parentOf(pid: number, proc: string): number | undefined {
  return parseStat(ignoringErrno(() => readFileSync(`${proc}/${pid}/stat`, 'latin1')) ?? '')?.ppid;
}

function variablesOf(pid: number, names: readonly string[], proc: string): Variables {
  const entries = (ignoringErrno(() => readFileSync(`${proc}/${pid}/environ`, 'utf8')) ?? '').split('\0');
  return Object.fromEntries(
    names.flatMap((name) => {
      const entry = entries.find((each) => each.startsWith(`${name}=`));
      return entry === undefined ? [] : [[name, entry.slice(name.length + 1)]];
    }),
  );
}

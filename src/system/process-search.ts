import type { ProcessRow, ProcessTable } from './process-table.ts';

export type ProcessTargets = {
  /**
   * Processes whose groups and descendants are wanted. Only children that have not been reaped, or pids whose start time was compared: a bare pid may
   * belong to a stranger by now. For a worker that died earlier, pass the environment and no pid.
   */
  readonly pids: readonly number[];
  /** `NAME=value` entries: agents start tools in their own sessions, where only the environment follows them. */
  readonly environment: readonly string[];
};

export type FoundProcesses = {
  readonly pids: readonly number[];
  /** Process groups with no member outside `pids`. Signalling a group is atomic: no process escapes by forking. */
  readonly groups: readonly number[];
};

/**
 * Finds the target processes repeatedly. Remembers those it has seen, because a child whose parent was just ended is no longer linked to it. Never
 * returns this process, its ancestors or pid 1.
 */
export function startSearch(targets: ProcessTargets, table: ProcessTable): () => FoundProcesses {
  const wanted = new Set(targets.pids.filter((pid) => pid > 1));
  const seen = new Map<number, string>();
  const look = (): FoundProcesses => {
    const rows = table.list();
    const spared = sparedIn(rows);
    const carriers = new Set(targets.environment.length === 0 ? [] : table.carriers(targets.environment));
    const isWanted = (row: ProcessRow): boolean =>
      wanted.has(row.pid) || wanted.has(row.pgid) || carriers.has(row.pid) || isSeen(row.pid);
    const isSeen = (pid: number): boolean => seen.has(pid) && seen.get(pid) === table.startTimeOf(pid);
    const found = withDescendants(rows, rows.filter(isWanted), spared);
    for (const pid of found) if (!seen.has(pid)) seen.set(pid, table.startTimeOf(pid) ?? '');
    return { pids: [...found].toSorted((a, b) => a - b), groups: wholeGroups(rows, found) };
  };
  return () => {
    const found = look();
    // A list is not a snapshot: if a process forked in the meantime, it and its child may both be missing. Look twice before reporting none.
    return found.pids.length === 0 && seen.size > 0 ? look() : found;
  };
}

function sparedIn(rows: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.ppid]));
  const spared = new Set([0, 1]);
  for (let pid: number | undefined = process.pid; pid !== undefined && !spared.has(pid); pid = parents.get(pid))
    spared.add(pid);
  return spared;
}

function withDescendants(
  rows: readonly ProcessRow[],
  roots: readonly ProcessRow[],
  spared: ReadonlySet<number>,
): ReadonlySet<number> {
  const children = new Map<number, number[]>();
  for (const row of rows) children.set(row.ppid, [...(children.get(row.ppid) ?? []), row.pid]);
  const found = new Set<number>();
  const open = roots.map((row) => row.pid);
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (spared.has(pid) || found.has(pid)) continue;
    found.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return found;
}

function wholeGroups(rows: readonly ProcessRow[], found: ReadonlySet<number>): number[] {
  const groups = new Set(rows.flatMap((row) => (found.has(row.pid) ? [row.pgid] : [])));
  for (const row of rows) if (!found.has(row.pid)) groups.delete(row.pgid);
  return [...groups].filter((pgid) => pgid > 1);
}

import { errnoOf } from './errno.ts';
import { startSearch, type ProcessTargets, type FoundProcesses } from './process-search.ts';
import { currentPlatform, type Platform } from './paths.ts';
import { processTable, type ProcessTable } from './process-table.ts';
import { runTool, type RunTool } from './run-tool.ts';

export type KillTarget = ProcessTargets & {
  readonly graceMs: number;
  /** Killed without a request to end: it owns a namespace, so everything in it would die with it before the grace period is over. */
  readonly killWithoutAsking?: number | undefined;
};

export type KillReport = {
  /** All processes that were found running. */
  readonly found: readonly number[];
  /** Those that did not end on request and had to be killed. */
  readonly killed: readonly number[];
  /** Those still running: another user's process, or one stuck inside the system. */
  readonly survivors: readonly number[];
};

/** How to signal the system; injected to test the Windows way on other systems. Without `ask` there is no grace period. */
export type ProcessEnder = { readonly ask?: (pid: number) => void; readonly end: (sighting: FoundProcesses) => void };

const POLL_MS_MIN = 10;
const POLL_MS_MAX = 160;
const KILL_ROUNDS_MAX = 40;
/** After this long a pid counter of 32768 may have wrapped around. A full look costs milliseconds, which a run this long can spare. */
const PARTIAL_LOOK_MS_MAX = 10_000;
const LEFTOVER_GRACE_MS = 1000;

/**
 * Ends all processes that the target names: SIGTERM, the grace period, then SIGKILL until none is left or the rounds are used up. Never
 * rejects.
 */
export async function killEverything(target: KillTarget, table: ProcessTable = processTable()): Promise<KillReport> {
  const steps = killing(target, table, processEnder());
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const pauseMs = step.value;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Immediately and without a grace period, for a process that is about to exit. Blocks for about as long as the system needs. */
export function killEverythingNow(target: ProcessTargets, table: ProcessTable = processTable()): KillReport {
  const steps = killing({ ...target, graceMs: 0 }, table, processEnder());
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, step.value);
  }
}

export type EndedCommand = {
  readonly pid: number;
  readonly environment: readonly string[];
  readonly durationMs: number;
};

/**
 * Processes that remain after a command ended by itself: members of its group, and detached processes that carry its environment. They are younger
 * than the command, so on Linux only higher pids are checked, unless the pid counter has wrapped around.
 */
export function findLeftovers(ended: EndedCommand, table: ProcessTable = processTable()): number[] {
  const newest = table.newestPid?.();
  // No process has started on this machine since, as usual after a small command; finding that out costs one look.
  if (newest === ended.pid) return [];
  const isPartial = newest !== undefined && newest >= ended.pid && ended.durationMs < PARTIAL_LOOK_MS_MAX;
  const carriers = table.carriers(ended.environment, isPartial ? ended.pid : 0).filter((pid) => pid !== process.pid);
  if (carriers.length > 0 || !hasGroup(ended.pid)) return carriers;
  return table.list().flatMap((row) => (row.pgid === ended.pid ? [row.pid] : []));
}

/** Finds and ends them; returns how many there were. */
export async function sweepLeftovers(ended: EndedCommand, table: ProcessTable = processTable()): Promise<number> {
  if (findLeftovers(ended, table).length === 0) return 0;
  const target = { pids: [ended.pid], environment: ended.environment, graceMs: LEFTOVER_GRACE_MS };
  return (await killEverything(target, table)).found.length;
}

export function sweepLeftoversNow(ended: EndedCommand, table: ProcessTable = processTable()): number {
  if (findLeftovers(ended, table).length === 0) return 0;
  return killEverythingNow({ pids: [ended.pid], environment: ended.environment }, table).found.length;
}

/** One algorithm for both ways of waiting: yields how many milliseconds to pause. */
export function* killing(target: KillTarget, table: ProcessTable, ender: ProcessEnder): Generator<number, KillReport> {
  const look = startSearch(target, table);
  const found = new Set<number>();
  const killed = new Set<number>();
  const start = performance.now();
  let pauseMs = POLL_MS_MIN;
  let running = look();
  while (running.pids.length > 0) {
    const left = start + target.graceMs - performance.now();
    if (left <= 0 || ender.ask === undefined) break;
    // Once each: a second SIGTERM means "hurry" to many programs. Processes that appear during the grace period are asked too.
    for (const pid of running.pids) if (!found.has(pid) && pid !== target.killWithoutAsking) ender.ask?.(pid);
    for (const pid of running.pids) found.add(pid);
    yield Math.min(pauseMs, left);
    pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX);
    running = look();
  }
  pauseMs = POLL_MS_MIN;
  for (let round = 0; running.pids.length > 0 && round < KILL_ROUNDS_MAX; round += 1) {
    for (const pid of running.pids) found.add(pid);
    for (const pid of running.pids) killed.add(pid);
    ender.end(running);
    yield pauseMs;
    pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX);
    running = look();
  }
  return { found: [...found], killed: [...killed], survivors: running.pids };
}

export function processEnder(os: Platform['os'] = currentPlatform().os, run: RunTool = runTool): ProcessEnder {
  if (os === 'win32') {
    // Console programs on Windows cannot be asked: `taskkill` without /F does not reach them.
    return {
      end: ({ pids }) => void run('taskkill', ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]),
    };
  }
  return {
    ask: (pid) => {
      signal(pid, 'SIGTERM');
      // A stopped process receives nothing until it is continued.
      signal(pid, 'SIGCONT');
    },
    end: ({ pids, groups }) => {
      for (const pgid of groups) signal(-pgid, 'SIGKILL');
      for (const pid of pids) signal(pid, 'SIGKILL');
    },
  };
}

/** The process is gone, or not ours to signal: the next look shows which, and the rest is reported as survivors. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function hasGroup(pid: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'EPERM') return true;
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
}

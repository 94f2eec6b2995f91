import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { LoopId, Worker } from '../core/loop.ts';
import type { AfterApproval, ApprovalRules } from '../engine/dialect-extras.ts';
import type { Watching, WatchedLoop } from '../facades/ralph-wiggum/watched-loop.ts';
import type { HostResume } from '../hosts/launch.ts';
import { hostNamed } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { filesOf } from '../stores/loop-files.ts';
import { systemClock } from '../system/clock.ts';
import { startDetached } from '../system/detach.ts';
import { ignoringErrno } from '../system/errno.ts';
import { writeFileAtomic } from '../system/files.ts';
import { isWorkerAlive, thisWorker, workerOf } from '../system/worker-identity.ts';

/** The order given to the process that waits for a person. */
export type WatchOrder = {
  readonly home: string;
  readonly host: string;
  readonly cwd: string;
  readonly way: Exclude<AfterApproval, 'none'>;
  readonly watched: WatchedLoop;
  /** The hook that asked, and the program of the session: while either is alive, the session is in use. */
  readonly users: readonly Worker[];
};

/** Names the watcher to everything that its agent starts, including hooks. */
export const WATCHER_VARIABLE = 'TIRELESS_WATCHER';
const WATCH_MS_DEFAULT = 24 * 60 * 60 * 1000;

export function resumeOf(host: string): HostResume | undefined {
  const id = hostNamed(host);
  return id === undefined ? undefined : HOSTS[id].launch.resume;
}

/** `undefined` = nobody waits after the hook. Throws `USAGE`. */
export function watchingFor(home: string, host: string, cwd: string, rules: ApprovalRules): Watching | undefined {
  const resume = resumeOf(host);
  const way = rules.after ?? (resume === undefined ? 'none' : 'resume');
  if (way === 'none') return undefined;
  if (way === 'resume' && resume === undefined)
    throw new Fault(
      'USAGE',
      `Cannot use "resume" for --after-approval: a session of ${host} cannot be continued. Use outer or none.`,
    );
  return {
    isOwnAgent,
    watchMs: rules.watchMs ?? WATCH_MS_DEFAULT,
    begin: (watched) => {
      const clock = systemClock();
      const pid = hostPid(host);
      const users = [thisWorker(clock), ...(pid === null ? [] : [workerOf(pid, clock)])];
      const order: WatchOrder = { home, host, cwd, way, watched, users };
      // For a restart after a crash; without it, the next stop starts another watcher.
      ignoringErrno(() =>
        writeFileAtomic(filesOf(home, watched.loop).watch, JSON.stringify(order), { durable: false }),
      );
      startWatch(order);
    },
  };
}

/** A hook outlives a host that is killed, and then has another parent. The variable names a host that is not the parent. */
export function hostGoneLookup(host: string): () => boolean {
  const clock = systemClock();
  const { ppid } = process;
  const known = [ppid, hostPid(host)].flatMap((pid) => (pid === null ? [] : [workerOf(pid, clock)]));
  return () => process.ppid !== ppid || known.some((worker) => isWorkerAlive(worker) === false);
}

function hostPid(host: string): number | null {
  const pid = Number(process.env[resumeOf(host)?.processVariable ?? ''] ?? NaN);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}

function startWatch(order: WatchOrder): void {
  const script = path.join(path.dirname(realpathSync(process.argv[1] ?? '')), 'approval-watch.js');
  startDetached(process.execPath, [script, JSON.stringify(order)], environmentFor(resumeOf(order.host)));
}

/** `false` = no watcher was ever started for this loop. If one is alive it keeps its lease, and the new one exits at once. */
export function restartWatch(home: string, loop: LoopId): boolean {
  const text = ignoringErrno(() => readFileSync(filesOf(home, loop).watch, 'utf8'));
  const order = text === undefined ? null : parseOrder(text);
  if (order === null) return false;
  startWatch(order);
  return true;
}

/** `null` = someone else wrote it, or it is incomplete. */
function parseOrder(text: string): WatchOrder | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Checked below.
    const order = JSON.parse(text) as WatchOrder | null;
    return typeof order?.watched?.loop === 'string' && typeof order.host === 'string' ? order : null;
  } catch {
    return null;
  }
}

export function isOwnAgent({ id }: Worker): boolean {
  return process.env[WATCHER_VARIABLE] === id;
}

function environmentFor(resume: HostResume | undefined): NodeJS.ProcessEnv {
  const dropped = new Set([...(resume?.sessionVariables ?? []), WATCHER_VARIABLE]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.has(name)));
}

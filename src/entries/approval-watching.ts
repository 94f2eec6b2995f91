import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Worker } from '../core/loop.ts';
import type { AfterApproval, ApprovalRules } from '../engine/dialect-extras.ts';
import type { Watching, WatchedLoop } from '../facades/ralph-wiggum/watched-loop.ts';
import type { HostResume } from '../hosts/launch.ts';
import { HOST_IDS } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { startDetached } from '../system/detach.ts';
import { thisWorker, workerOf } from '../system/worker-identity.ts';

/** What the process that waits for a person is started with. */
export type WatchOrder = {
  readonly home: string;
  readonly host: string;
  readonly cwd: string;
  readonly way: Exclude<AfterApproval, 'none'>;
  readonly watched: WatchedLoop;
  /** The hook that asked, and the program of the session: while one of them lives, the session is in use. */
  readonly users: readonly Worker[];
};

/** Names the watcher to everything that its agent starts, hooks included. */
export const WATCHER_VARIABLE = 'TIRELESS_WATCHER';
const WATCH_MS_DEFAULT = 24 * 60 * 60 * 1000;

export function resumeOf(host: string): HostResume | undefined {
  const id = HOST_IDS.find((each) => each === host);
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
      const pid = Number(process.env[resume?.processVariable ?? ''] ?? NaN);
      const users = [thisWorker(clock), ...(Number.isInteger(pid) ? [workerOf(pid, clock)] : [])];
      const order: WatchOrder = { home, host, cwd, way, watched, users };
      const script = path.join(path.dirname(realpathSync(process.argv[1] ?? '')), 'approval-watch.js');
      startDetached(process.execPath, [script, JSON.stringify(order)], environmentFor(resume));
    },
  };
}

export function isOwnAgent({ id }: Worker): boolean {
  return process.env[WATCHER_VARIABLE] === id;
}

function environmentFor(resume: HostResume | undefined): NodeJS.ProcessEnv {
  const dropped = new Set([...(resume?.sessionVariables ?? []), WATCHER_VARIABLE]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.has(name)));
}

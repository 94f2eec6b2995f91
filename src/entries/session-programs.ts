import type { LoopId, SessionRef, State } from '../core/loop.ts';
import type { SessionPrograms } from '../engine/file-owner.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { hostNamed } from '../hosts/ids.ts';
import { readSessionProcess, writeSessionProcess } from '../stores/session-process.ts';
import { systemClock } from '../system/clock.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';

/** Only hosts that name their process to a hook: the parent of a hook may be a program that ends with it, such as `npx`. */
export function openSessionPrograms(home: string): SessionPrograms {
  return {
    note: (loop, session) => noteProgram(home, loop, session),
    isGone: (state) => isProgramGone(home, state),
  };
}

function noteProgram(home: string, loop: LoopId, session: SessionRef): void {
  const host = hostNamed(session.host);
  const variable = host === undefined ? undefined : HOSTS[host].capabilities.clientVariable;
  const pid = Number(variable === undefined ? NaN : process.env[variable]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  const worker = workerOf(pid, systemClock());
  const noted = readSessionProcess(home, loop, session);
  const isNoted = noted?.pid === pid && noted.startTime === worker.startTime && noted.boot === worker.boot;
  if (!isNoted && isWorkerAlive(worker) === true) writeSessionProcess(home, loop, session, worker);
}

/** Only what is known: a program on another machine, or one that was never noted, may still run. A watcher brings its session back. */
function isProgramGone(home: string, { loop, session, watcher }: State): boolean {
  if (session === null || (watcher !== undefined && isWorkerAlive(watcher) !== false)) return false;
  const worker = readSessionProcess(home, loop, session);
  return worker !== null && isWorkerAlive(worker) === false;
}

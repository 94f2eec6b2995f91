/** The process that runs the session of a loop. When it is killed, it reports no end of the session; its pid shows that it is gone. */
import type { LoopId, SessionRef, State } from '../core/loop.ts';
import type { SessionProcesses } from '../engine/file-owner.ts';
import { transcriptReader } from '../evidence/transcript-tail.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { hostNamed } from '../hosts/ids.ts';
import { readSessionProcess, writeSessionProcess } from '../stores/session-process.ts';
import { systemClock } from '../system/clock.ts';
import { hostProcess } from '../system/host-process.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';

/** Records the process that started this hook. */
export function noteSession(home: string, loop: LoopId, session: SessionRef): void {
  const pid = hostProcess();
  if (pid !== undefined) writeSessionProcess(home, loop, session, workerOf(pid, systemClock()));
}

/** Only hosts that name their process to a hook: the parent of a hook may be a program that ends with it, such as `npx`. */
export function openSessionProcesses(home: string): SessionProcesses {
  return {
    note: (loop, session) => noteProcess(home, loop, session),
    isGone: (state) => isProcessGone(home, state),
    restsSinceMs,
  };
}

/** Only what the transcript shows: a turn that was broken off or failed, and nothing after it. */
function restsSinceMs(session: SessionRef, transcript: string): number | null {
  const host = hostNamed(session.host);
  const turns = host === undefined ? undefined : HOSTS[host].turns;
  if (turns === undefined || turns.idleCause(transcript, transcriptReader, Date.now()) === null) return null;
  return turns.lastWorkMs(transcript, transcriptReader) ?? null;
}

function noteProcess(home: string, loop: LoopId, session: SessionRef): void {
  const host = hostNamed(session.host);
  const pid = pidIn(host === undefined ? undefined : HOSTS[host].capabilities.clientVariable);
  if (pid === null) return;
  const worker = workerOf(pid, systemClock());
  const noted = readSessionProcess(home, loop, session);
  const isNoted = noted?.pid === pid && noted.startTime === worker.startTime && noted.boot === worker.boot;
  if (!isNoted && isWorkerAlive(worker) === true) writeSessionProcess(home, loop, session, worker);
}

/** The process that a host names in this variable of a hook's environment; `null` = none. */
export function pidIn(variable: string | undefined): number | null {
  const pid = Number(variable === undefined ? NaN : process.env[variable]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

/** Only if that is known: a process on another machine, or one that was never recorded, may still be running. A watcher brings its session back. */
function isProcessGone(home: string, { loop, session, watcher }: State): boolean {
  if (session === null || (watcher !== undefined && isWorkerAlive(watcher) !== false)) return false;
  const worker = readSessionProcess(home, loop, session);
  return worker !== null && isWorkerAlive(worker) === false;
}

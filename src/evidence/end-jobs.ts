/** Ends checks that nobody waits for any more, and removes what they left: see `check-jobs.ts`. */
import { readdirSync, rmSync } from 'node:fs';
import type { LoopId, Worker } from '../core/loop.ts';
import type { ProbeBatch } from '../engine/ports.ts';
import { ignoringErrno } from '../system/errno.ts';
import { killEverything } from '../system/kill.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';
import type { JobFiles, JobPlace } from './job-files.ts';
import { filesOf, folderOf, jobsIn, readJob, readResult, readWorker, remove } from './job-files.ts';

/** How long a check that nobody waits for may take to clean up. */
const END_GRACE_MS = 2000;
/** In the environment of a job and all its children. */
export const JOB_MARK = 'TIRELESS_JOB';

/** Once a stop has been judged, its answers are used up. */
export function forgetJobs(home: string, loop: LoopId): void {
  const folder = folderOf(home, loop);
  for (const name of ignoringErrno(() => readdirSync(folder)) ?? [])
    if (name.endsWith('.result.json')) {
      remove(filesOf({ home, loop, key: name.slice(0, -'.result.json'.length) }));
    }
}

/** Nobody will use the answers of this loop any more: ends the checks that are still running, with all their processes. */
export async function endJobs(home: string, loop: LoopId): Promise<void> {
  for (const files of jobsIn(home, loop)) await end(files);
  ignoringErrno(() => rmSync(folderOf(home, loop), { recursive: true, force: true }));
}

/** The process that runs the job may call this too: it does not end itself. */
export async function endJob(place: JobPlace): Promise<void> {
  await end(filesOf(place));
}

/** A check never runs twice at once: it may hold a port or write to a folder. That includes a check whose parent was killed and that is still running. */
export async function endReplaced(batch: ProbeBatch, home: string): Promise<void> {
  const asked = new Set(checkNames(batch));
  for (const older of jobsIn(home, batch.loop)) {
    const job = readJob(older);
    if (job !== undefined && checkNames(job.batch).some((check) => asked.has(check))) await end(older);
  }
}

function checkNames({ requests }: ProbeBatch): readonly string[] {
  return requests.flatMap((request) => {
    if (request.kind === 'check') return [request.check.name];
    if (request.kind === 'room') return request.checks.map((check) => check.name);
    return request.kind === 'room-baseline' ? request.spec.checks.map((check) => check.name) : [];
  });
}

async function end(files: JobFiles): Promise<void> {
  const job = readJob(files);
  if (job !== undefined && readResult(files) === null) {
    const worker = readWorker(files);
    await killEverything({
      // For systems where the environment of other processes cannot be read (Windows). Alive means that the start time was compared.
      pids: worker !== undefined && isAlive(worker) ? [worker.pid] : [],
      environment: [`${JOB_MARK}=${job.id}`],
      graceMs: END_GRACE_MS,
    });
  }
  remove(files);
}

export function isAlive(worker: Worker | undefined): boolean {
  return worker !== undefined && isWorkerAlive(worker) === true;
}

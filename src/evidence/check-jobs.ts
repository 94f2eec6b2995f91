/**
 * Checks that may outlast a hook. A host kills a hook that takes too long, with everything it started. So the checks of a session run in
 * their own process, which writes its answer to a file, and the hook only waits for that file. If the hook runs out of time first, the
 * agent is told to wait (`tireless wait`), and the next stop finds the answer.
 *
 * Anyone can write such a file, so the process that computed an answer signs it (`job-seal.ts`), together with the job, the files and the
 * number of the run. An answer that arrives after its hook has ended counts only with a voucher from the journal, and only for the files it
 * is about: they must be the same when the checks began, when they ended, and when the answer is used. From the end of the checks on, this
 * includes files that are not work (ignored, or made by tools). Files that cannot be fingerprinted never count as the same. Otherwise the
 * checks run again. Only the trial of the clean room does not depend on the current files: it runs in rooms of the copy that was kept
 * before the agent began.
 *
 * A job that nobody waits for is ended: by whoever ends the loop, by the process itself when it sees that its loop has ended, and before
 * the same checks are started again. A job is identified by a mark in its environment, which all its children inherit: a recorded pid may
 * belong to another process by now.
 */
import path from 'node:path';
import type { CheckResult } from '../core/evidence.ts';
import type { LoopId, Worker } from '../core/loop.ts';
import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { ensureDir, writeFileAtomic } from '../system/files.ts';
import { newId, sha256 } from '../system/ids.ts';
import { endReplaced, isAlive, JOB_MARK } from './end-jobs.ts';
import type { FileLook, Job, JobPlace, JobResult } from './job-files.ts';
import { filesOf, jobsIn, readJob, readResult, readWorker, remove } from './job-files.ts';
import type { JobOrder } from './job-process.ts';
import { signedText } from './job-process.ts';
import { isSigned, newSeal } from './job-seal.ts';

export type JobStart = {
  readonly loop: LoopId;
  readonly key: string;
  /** Added to the environment of the process. */
  readonly mark: Readonly<Record<string, string>>;
  readonly order: JobOrder;
};

export type JobWorld = {
  readonly home: string;
  /** Starts the process that computes the answer, in its own session. */
  readonly start: (start: JobStart) => void;
  /** This process. */
  readonly hook: Worker;
  readonly fingerprint: (cwd: string) => Promise<FileLook>;
  readonly sleep: (ms: number) => Promise<void>;
  /** How the agent that works in this directory can call tireless. */
  readonly call: (cwd: string) => string;
  /** How much longer this hook may wait. */
  readonly leftMs: () => number;
};

const POLL_MS_MIN = 5;
const POLL_MS_MAX = 250;
/** A process that has not identified itself after this long died at its start. */
const BEGIN_MS_MAX = 15_000;
const UNKNOWN_FILES: FileLook = { work: null, all: null };

/** Answers are in the order of the requests. Results not ready in time are `unknown`, `still-running`. */
export async function askInJob(batch: ProbeBatch, world: JobWorld): Promise<readonly ProbeAnswer[]> {
  const place = { home: world.home, loop: batch.loop, key: keyOf(batch) };
  const known = await knownJob(place, batch, world);
  if (known.kind === 'answered') {
    if (known.result.run > 1 || batch.again !== true) return lateAnswers(known.result);
    // They passed, but late, so they run again. If that run is late too, two runs over the same files are enough.
    return askAndWait(place, begin(await clear(place, batch, world), { ...world, run: 2 }), world);
  }
  if (known.kind === 'of-other-hook') {
    const isOver = await waitForOther(place, known.job, world);
    return isOver ? askInJob(batch, world) : batch.requests.map((request) => stillRunning(request, batch, world));
  }
  const job = known.kind === 'runs' ? known.job : begin(await clear(place, batch, world), { ...world, run: 1 });
  return askAndWait(place, job, world);
}

function keyOf({ requests, inOrder }: ProbeBatch): string {
  return sha256(JSON.stringify([requests, inOrder])).slice(0, 32);
}

/** `job`: started by this hook, or its voucher is in the journal. */
async function askAndWait(place: JobPlace, job: Job, world: JobWorld): Promise<readonly ProbeAnswer[]> {
  const { batch, outlived } = job;
  const files = filesOf(place);
  const result = await waitFor(place, job, world);
  if (result === null) {
    writeFileAtomic(files.job, JSON.stringify({ ...job, outlived: true }), { durable: false });
    return batch.requests.map((request) => stillRunning(request, batch, world, job.voucher));
  }
  if (!outlived) {
    // We started it and the agent waited all the time, so nobody else touched the files; the next stop runs the checks again.
    remove(files);
    return result.answers;
  }
  if (isTrial(batch) || isAboutFiles(result, await world.fingerprint(batch.cwd))) return lateAnswers(result);
  remove(files);
  return askInJob(batch, world);
}

/** The first late pass is marked as late: the check is run again before it completes a loop. */
function lateAnswers({ answers, run }: JobResult): readonly ProbeAnswer[] {
  if (run > 1) return answers;
  return answers.map((answer) =>
    answer.kind === 'check' && answer.result.result === 'passed'
      ? { kind: 'check', result: { ...answer.result, late: true } }
      : answer,
  );
}

/** For `tireless wait`: the checks that are running now, and the answers that wait to be used. */
export function jobsOf(
  home: string,
  loop: LoopId,
): readonly { readonly job: Job; readonly result: JobResult | null; readonly alive: boolean }[] {
  return jobsIn(home, loop).flatMap((files) => {
    const job = readJob(files);
    return job === undefined ? [] : [{ job, result: readResult(files), alive: isAlive(readWorker(files)) }];
  });
}

type KnownJob =
  | { readonly kind: 'none' }
  | { readonly kind: 'answered'; readonly result: JobResult }
  | { readonly kind: 'runs'; readonly job: Job }
  /** Two hooks report one stop: the other one started the job and is waiting for it. Only that hook can tell its answer from a forged one. */
  | { readonly kind: 'of-other-hook'; readonly job: Job };

async function knownJob(place: JobPlace, batch: ProbeBatch, world: JobWorld): Promise<KnownJob> {
  const files = filesOf(place);
  const job = readJob(files);
  if (job === undefined) return { kind: 'none' };
  if (!(batch.vouchers ?? []).includes(job.voucher))
    return !job.outlived && isAlive(job.hook) ? { kind: 'of-other-hook', job } : { kind: 'none' };
  const now = isTrial(batch) ? UNKNOWN_FILES : await world.fingerprint(batch.cwd);
  const result = readSigned(place, job);
  if (result !== null)
    return isTrial(batch) || isAboutFiles(result, now) ? { kind: 'answered', result } : { kind: 'none' };
  const worker = readWorker(files);
  // The worker saw other files than the current ones, so its answer is outdated.
  const isStale = !isTrial(batch) && worker?.before !== undefined && !isSame(worker.before, now.work);
  return isAlive(worker) && !isStale ? { kind: 'runs', job: { ...job, outlived: true } } : { kind: 'none' };
}

function begin({ place, batch }: Cleared, world: JobWorld & { readonly run: number }): Job {
  const { secret, voucher } = newSeal();
  const job: Job = { id: newId(), batch, outlived: false, hook: world.hook, voucher };
  writeFileAtomic(filesOf(place).job, JSON.stringify(job), { durable: false });
  const { loop, key } = place;
  world.start({ loop, key, mark: { [JOB_MARK]: job.id }, order: { job: job.id, secret, run: world.run } });
  return job;
}

function isTrial({ requests }: ProbeBatch): boolean {
  return requests.every((request) => request.kind === 'room-baseline');
}

type Cleared = { readonly place: JobPlace; readonly batch: ProbeBatch };

/** Removes everything left of an earlier job for the same checks. */
async function clear(place: JobPlace, batch: ProbeBatch, world: JobWorld): Promise<Cleared> {
  const files = filesOf(place);
  ensureDir(path.dirname(files.job));
  await endReplaced(batch, world.home);
  remove(files);
  return { place, batch };
}

/** `false` = our own time ran out first. */
async function waitForOther(place: JobPlace, { id, hook }: Job, world: JobWorld): Promise<boolean> {
  for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
    const job = readJob(filesOf(place));
    if (job?.id !== id || job.outlived || !isAlive(hook)) return true;
    const leftMs = world.leftMs();
    if (leftMs <= 0) return false;
    await world.sleep(Math.min(pollMs, leftMs));
  }
}

/** An answer that is not signed by the process of this job is ignored. */
async function waitFor(place: JobPlace, job: Job, world: JobWorld): Promise<JobResult | null> {
  const files = filesOf(place);
  let waitedMs = 0;
  for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
    const result = readSigned(place, job);
    if (result !== null) return result;
    if (waitedMs > BEGIN_MS_MAX && !isAlive(readWorker(files))) return deadResult(job, world);
    const leftMs = world.leftMs();
    if (leftMs <= 0) return null;
    const ms = Math.min(pollMs, leftMs);
    await world.sleep(ms);
    waitedMs += ms;
  }
}

/** The process that computes the answer is gone: `unknown`, which completes nothing. */
function deadResult({ batch }: Job, world: JobWorld): JobResult {
  const { requests } = batch;
  const tail = 'the process that ran it ended without a result';
  const answers = requests.map((request): ProbeAnswer => {
    if (request.kind === 'room') return { kind: 'room', facts: { kind: 'lost', why: 'failed', detail: tail } };
    if (request.kind === 'room-copy')
      return { kind: 'room-baseline', baseline: { kind: 'none', why: 'failed', detail: tail } };
    // The agent may have killed it, and must not be able to remove the room that way: the next stop repeats the trial.
    if (request.kind === 'room-baseline')
      return { kind: 'room-baseline', baseline: { ...request.copy, trial: { call: world.call(batch.cwd) } } };
    const name = request.kind === 'check' ? request.check.name : '';
    return { kind: 'check', result: { name, result: 'unknown', unknown: 'not-runnable', durationMs: 0, tail } };
  });
  return { answers, before: UNKNOWN_FILES, after: UNKNOWN_FILES, run: 1 };
}

/** Without a voucher a late answer does not count, and the checks run again. */
function stillRunning(request: ProbeRequest, { cwd }: ProbeBatch, world: JobWorld, voucher?: string): ProbeAnswer {
  const running = { call: world.call(cwd), ...(voucher === undefined ? {} : { voucher }) };
  if (request.kind === 'room') return { kind: 'room', facts: { kind: 'running', ...running } };
  // If the project could not be copied in time, the loop has no room.
  if (request.kind === 'room-copy')
    return { kind: 'room-baseline', baseline: { kind: 'none', why: 'too-slow', detail: '' } };
  if (request.kind === 'room-baseline') return { kind: 'room-baseline', baseline: { ...request.copy, trial: running } };
  const name = request.kind === 'check' ? request.check.name : '';
  const result: CheckResult = {
    name,
    result: 'unknown',
    unknown: 'still-running',
    durationMs: 0,
    tail: '',
    ...running,
  };
  return { kind: 'check', result };
}

/** The checks themselves may write ignored files while they run, so those only have to be the same since the checks ended. */
function isAboutFiles({ before, after }: JobResult, now: FileLook): boolean {
  return isSame(before.work, after.work) && isSame(after.work, now.work) && isSame(after.all, now.all);
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && a === b;
}

function readSigned(place: JobPlace, { id, voucher }: Job): JobResult | null {
  const result = readResult(filesOf(place));
  return result !== null && isSigned(voucher, signedText(place, id, result), result.signature) ? result : null;
}

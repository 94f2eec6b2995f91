/**
 * Checks that may outlast a hook. A host ends a hook that takes too long, and everything it started with it; so the checks of a session
 * run in a process of their own, which writes its answer into a file, and the hook only waits for that file. When its time is up before
 * the answer is there, the agent is told to wait (`tireless wait`), and the next stop finds the answer.
 *
 * An answer that came after the agent was let go counts only for the files it was asked about: they must be the same when the checks
 * began, when they ended, and when the answer is used. Otherwise they are asked again.
 *
 * What nobody waits for any more is ended: by whoever ends the loop, by the process itself when it sees that its loop is over, and before
 * the same is asked anew. Its name is a mark in the environment, which all that it starts inherits: a number of a process that is written
 * down may belong to somebody else by now.
 */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CheckResult } from '../core/evidence.ts';
import type { LoopId, Worker } from '../core/loop.ts';
import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import { ignoringErrno } from '../system/errno.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { newId, pathPart, sha256 } from '../system/ids.ts';
import { killEverything } from '../system/kill.ts';
import { isWorkerAlive } from '../system/worker-identity.ts';

export type Job = {
  readonly id: string;
  readonly batch: ProbeBatch;
  /** The hook that began it had to leave before the answer was there. */
  readonly outlived: boolean;
};

export type JobResult = {
  readonly answers: readonly ProbeAnswer[];
  readonly before: string | null;
  readonly after: string | null;
};

export type JobWorld = {
  readonly home: string;
  /** Starts the process that answers, in a session of its own and with this added to its environment. */
  readonly start: (loop: LoopId, key: string, mark: Readonly<Record<string, string>>) => void;
  readonly fingerprint: (cwd: string) => Promise<string | null>;
  readonly sleep: (ms: number) => Promise<void>;
  /** How the agent that works there can call tireless. */
  readonly call: (cwd: string) => string;
  /** How long this hook may still wait. */
  readonly leftMs: () => number;
};

const POLL_MS_MIN = 5;
const POLL_MS_MAX = 250;
/** A process that has not said who it is after this long has died at its start. */
const BEGIN_MS_MAX = 15_000;
/** How long a check that nobody waits for may clean up. */
const END_GRACE_MS = 2000;
const MARK = 'TIRELESS_JOB';

/** Answers in the order of the requests. What is not known in time is `unknown`, `still-running`. */
export async function askInJob(batch: ProbeBatch, world: JobWorld): Promise<readonly ProbeAnswer[]> {
  const key = sha256(JSON.stringify([batch.requests, batch.inOrder])).slice(0, 32);
  const files = filesOf(world.home, batch.loop, key);
  const known = await knownJob(files, batch, world);
  if (known !== 'none' && known !== 'runs') return known;
  if (known === 'none') await begin(files, batch, key, world);
  const result = await waitFor(files, world);
  const job = readJob(files);
  if (result === null) {
    if (job !== undefined) writeFileAtomic(files.job, JSON.stringify({ ...job, outlived: true }), { durable: false });
    const call = world.call(batch.cwd);
    return batch.requests.map((request) => stillRunning(request.kind === 'check' ? request.check.name : '', call));
  }
  if (known === 'none' && job?.outlived !== true) {
    // We began it and the agent waited all the time: nobody else touched the files, and the next stop asks anew.
    remove(files);
    return result.answers;
  }
  const now = await world.fingerprint(batch.cwd);
  if (isOf(result, now)) return result.answers;
  remove(files);
  return askInJob(batch, world);
}

/** Once a stop was judged, its answers are used up. */
export function forgetJobs(home: string, loop: LoopId): void {
  const folder = folderOf(home, loop);
  for (const name of ignoringErrno(() => readdirSync(folder)) ?? [])
    if (name.endsWith('.result.json')) {
      const key = name.slice(0, -'.result.json'.length);
      remove(filesOf(home, loop, key));
    }
}

/** Nobody will use the answers of this loop any more: the checks that still run are ended, with all that came out of them. */
export async function endJobs(home: string, loop: LoopId): Promise<void> {
  const folder = folderOf(home, loop);
  for (const name of ignoringErrno(() => readdirSync(folder)) ?? [])
    if (name.endsWith('.job.json')) await endJob({ home, loop, key: name.slice(0, -'.job.json'.length) });
  ignoringErrno(() => rmSync(folder, { recursive: true, force: true }));
}

/** The process that runs it may do so too: nobody ends himself. */
export async function endJob(place: JobPlace): Promise<void> {
  await end(filesOf(place.home, place.loop, place.key));
}

/** For `tireless wait`: the checks that run now, and the answers that wait to be used. */
export function jobsOf(
  home: string,
  loop: LoopId,
): readonly { readonly job: Job; readonly result: JobResult | null; readonly alive: boolean }[] {
  return (ignoringErrno(() => readdirSync(folderOf(home, loop))) ?? []).flatMap((name) => {
    if (!name.endsWith('.job.json')) return [];
    const files = filesOf(home, loop, name.slice(0, -'.job.json'.length));
    const job = readJob(files);
    return job === undefined ? [] : [{ job, result: readResult(files), alive: isAlive(readWorker(files)) }];
  });
}

export type JobPlace = { readonly home: string; readonly loop: LoopId; readonly key: string };

/** What the process of its own does: say who it is, ask, write the answer down. */
export async function answerJob(
  place: JobPlace & { readonly worker: Worker },
  ask: (batch: ProbeBatch) => Promise<readonly ProbeAnswer[]>,
  fingerprint: (cwd: string) => Promise<string | null>,
): Promise<void> {
  const files = filesOf(place.home, place.loop, place.key);
  writeFileAtomic(files.worker, JSON.stringify(place.worker), { durable: false });
  const job = readJob(files);
  if (job === undefined) return;
  const before = await fingerprint(job.batch.cwd);
  writeFileAtomic(files.worker, JSON.stringify({ ...place.worker, before }), { durable: false });
  const answers = await ask(job.batch);
  const after = await fingerprint(job.batch.cwd);
  // Another process may have begun the same anew meanwhile: an answer belongs to the job it was asked for.
  if (readJob(files)?.id !== job.id) return;
  writeFileAtomic(files.result, JSON.stringify({ answers, before, after }), { durable: false });
}

type JobFiles = { readonly job: string; readonly result: string; readonly worker: string };

async function knownJob(
  files: JobFiles,
  batch: ProbeBatch,
  world: JobWorld,
): Promise<readonly ProbeAnswer[] | 'none' | 'runs'> {
  const job = readJob(files);
  if (job === undefined) return 'none';
  const result = readResult(files);
  if (result !== null)
    return job.outlived && isOf(result, await world.fingerprint(batch.cwd)) ? result.answers : 'none';
  const worker = readWorker(files);
  if (!isAlive(worker)) return 'none';
  // Its answer would be about files that are no more.
  const isStale = worker?.before !== undefined && worker.before !== (await world.fingerprint(batch.cwd));
  return isStale ? 'none' : 'runs';
}

async function begin(files: JobFiles, batch: ProbeBatch, key: string, world: JobWorld): Promise<void> {
  ensureDir(path.dirname(files.job));
  await endReplaced(files, batch, world.home);
  remove(files);
  const job: Job = { id: newId(), batch, outlived: false };
  writeFileAtomic(files.job, JSON.stringify(job), { durable: false });
  world.start(batch.loop, key, { [MARK]: job.id });
}

/** One check never runs twice at once: it may hold a port or write a folder. Also where whoever ran it was killed, and it runs on alone. */
async function endReplaced(files: JobFiles, batch: ProbeBatch, home: string): Promise<void> {
  const asked = new Set(checkNames(batch));
  for (const name of ignoringErrno(() => readdirSync(path.dirname(files.job))) ?? []) {
    if (!name.endsWith('.job.json')) continue;
    const older = filesOf(home, batch.loop, name.slice(0, -'.job.json'.length));
    const job = readJob(older);
    if (job !== undefined && checkNames(job.batch).some((check) => asked.has(check))) await end(older);
  }
}

function checkNames({ requests }: ProbeBatch): readonly string[] {
  return requests.flatMap((request) => (request.kind === 'check' ? [request.check.name] : []));
}

async function end(files: JobFiles): Promise<void> {
  const job = readJob(files);
  if (job !== undefined && readResult(files) === null) {
    const worker = readWorker(files);
    await killEverything({
      // Where the environment of others cannot be seen (Windows). Alive means that its start time was compared.
      pids: worker !== undefined && isAlive(worker) ? [worker.pid] : [],
      environment: [`${MARK}=${job.id}`],
      graceMs: END_GRACE_MS,
    });
  }
  remove(files);
}

async function waitFor(files: JobFiles, world: JobWorld): Promise<JobResult | null> {
  let waitedMs = 0;
  for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
    const result = readResult(files);
    if (result !== null) return result;
    if (waitedMs > BEGIN_MS_MAX && !isAlive(readWorker(files))) return deadResult(files);
    const leftMs = world.leftMs();
    if (leftMs <= 0) return null;
    const ms = Math.min(pollMs, leftMs);
    await world.sleep(ms);
    waitedMs += ms;
  }
}

/** Whoever was to answer is gone: `unknown`, which completes nothing. */
function deadResult(files: JobFiles): JobResult {
  const requests = readJob(files)?.batch.requests ?? [];
  const answers = requests.map((request): ProbeAnswer => {
    const name = request.kind === 'check' ? request.check.name : '';
    const tail = 'the process that ran it ended without an answer';
    return { kind: 'check', result: { name, result: 'unknown', unknown: 'not-runnable', durationMs: 0, tail } };
  });
  return { answers, before: null, after: null };
}

function stillRunning(name: string, call: string): ProbeAnswer {
  const result: CheckResult = { name, result: 'unknown', unknown: 'still-running', durationMs: 0, tail: '', call };
  return { kind: 'check', result };
}

function isOf({ before, after }: JobResult, now: string | null): boolean {
  return before === after && after === now;
}

function isAlive(worker: JobWorker | undefined): boolean {
  return worker !== undefined && isWorkerAlive(worker) === true;
}

/** `before`: the files as it found them; absent = it has not looked yet. */
type JobWorker = Worker & { readonly before?: string | null };

/* oxlint-disable typescript/no-unsafe-type-assertion -- Files of this version, renamed in whole; see `readOwn`. */
function readWorker({ worker }: JobFiles): JobWorker | undefined {
  return readOwn(worker, 'pid') as JobWorker | undefined;
}

function readJob({ job }: JobFiles): Job | undefined {
  return readOwn(job, 'batch') as Job | undefined;
}

function readResult({ result }: JobFiles): JobResult | null {
  return (readOwn(result, 'answers') as JobResult | undefined) ?? null;
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** One that someone damaged is as good as none: the checks are asked again. */
function readOwn(file: string, has: string): object | undefined {
  const text = readTextIfExists(file);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, has) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function remove(files: JobFiles): void {
  for (const file of [files.result, files.worker, files.job]) rmSync(file, { force: true });
}

function folderOf(home: string, loop: LoopId): string {
  return path.join(home, 'jobs', pathPart(loop));
}

function filesOf(home: string, loop: LoopId, key: string): JobFiles {
  const base = path.join(folderOf(home, loop), key);
  return { job: `${base}.job.json`, result: `${base}.result.json`, worker: `${base}.worker.json` };
}

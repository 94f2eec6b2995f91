import type { Worker } from '../core/loop.ts';
import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import { writeFileAtomic } from '../system/files.ts';
import { runSteps } from './command-steps.ts';
import type { FileLook, JobPlace, JobResult, SignedResult } from './job-files.ts';
import { filesOf, parseOwn, readJob } from './job-files.ts';
import { signWith } from './job-seal.ts';
import { allFilesFingerprint, workspaceFingerprint } from './workspace-fingerprint.ts';

/** Passed only to the process of a job, on stdin: the key it signs with, and the number of this run of the checks. */
export type JobOrder = { readonly job: string; readonly secret: string; readonly run: number };

/** Runs in the job's own process: identifies itself, runs the checks, writes the answer and signs it. */
export async function answerJob(
  place: JobPlace & { readonly worker: Worker; readonly order: JobOrder | undefined },
  ask: (batch: ProbeBatch) => Promise<readonly ProbeAnswer[]>,
  fingerprint: (cwd: string) => Promise<FileLook>,
): Promise<void> {
  const { worker, order } = place;
  const files = filesOf(place);
  const job = readJob(files);
  // Another process may have restarted the same checks in the meantime: an answer belongs to the job it was computed for.
  const isOurs = (): boolean => order !== undefined && readJob(files)?.id === order.job;
  if (order === undefined || job === undefined || !isOurs()) return;
  writeFileAtomic(files.worker, JSON.stringify(worker), { durable: false });
  const before = await fingerprint(job.batch.cwd);
  writeFileAtomic(files.worker, JSON.stringify({ ...worker, before: before.work }), { durable: false });
  const answers = await ask(job.batch);
  const after = await fingerprint(job.batch.cwd);
  if (!isOurs()) return;
  const result: JobResult = { answers, before, after, run: order.run };
  const signature = signWith(order.secret, signedText(place, order.job, result));
  writeFileAtomic(files.result, JSON.stringify({ ...result, signature } satisfies SignedResult), { durable: false });
}

/** The files in the form in which a job compares them. */
export async function fingerprintFiles(cwd: string): Promise<FileLook> {
  return { work: await runSteps(workspaceFingerprint(cwd)), all: allFilesFingerprint(cwd) };
}

/** `undefined` = the hook was killed before it had sent the order. */
export function parseOrder(text: string): JobOrder | undefined {
  const value = parseOwn(text, 'secret');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written whole by the hook of this version; see `parseOwn`.
  return value as JobOrder | undefined;
}

/** Everything an answer is about: the loop, the request, the job that computed it, and the files it saw. */
export function signedText({ loop, key }: JobPlace, job: string, { answers, before, after, run }: JobResult): string {
  return JSON.stringify([loop, key, job, run, before, after, answers]);
}

/** The files of a job, in `jobs/<loop>/`. Each is renamed into place as a whole, and any process of this user can write them. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LoopId, Worker } from '../core/loop.ts';
import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import { ignoringErrno } from '../system/errno.ts';
import { readTextIfExists } from '../system/files.ts';
import { pathPart } from '../system/ids.ts';

const JOB = '.job.json';

export type JobPlace = { readonly home: string; readonly loop: LoopId; readonly key: string };

export type Job = {
  readonly id: string;
  readonly batch: ProbeBatch;
  /** The hook that started it ended before the answer arrived. */
  readonly outlived: boolean;
  /** That hook. */
  readonly hook: Worker;
  readonly voucher: string;
};

/** `work`: what a commit would contain. `all`: includes ignored files and those made by tools. `null` = unknown, and equals nothing. */
export type FileLook = { readonly work: string | null; readonly all: string | null };

export type JobResult = {
  readonly answers: readonly ProbeAnswer[];
  readonly before: FileLook;
  readonly after: FileLook;
  /** 2 = these checks passed late before and were run again. */
  readonly run: number;
};

export type SignedResult = JobResult & { readonly signature: string };

export type JobFiles = { readonly job: string; readonly result: string; readonly worker: string };

/** `before`: the files as the worker found them; absent = it has not read them yet. */
type JobWorker = Worker & { readonly before?: string | null };

/* oxlint-disable typescript/no-unsafe-type-assertion -- Files of this version, renamed in whole; see `readOwn`. */
export function readWorker({ worker }: JobFiles): JobWorker | undefined {
  return readOwn(worker, 'pid') as JobWorker | undefined;
}

export function readJob({ job }: JobFiles): Job | undefined {
  return readOwn(job, 'batch') as Job | undefined;
}

/** Only for display; decisions use `readSigned`. */
export function readResult({ result }: JobFiles): SignedResult | null {
  return (readOwn(result, 'signature') as SignedResult | undefined) ?? null;
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** A damaged file counts as missing: the checks run again. */
function readOwn(file: string, has: string): object | undefined {
  const text = readTextIfExists(file);
  return text === undefined ? undefined : parseOwn(text, has);
}

export function parseOwn(text: string, has: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, has) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function remove(files: JobFiles): void {
  for (const file of [files.result, files.worker, files.job]) rmSync(file, { force: true });
}

export function folderOf(home: string, loop: LoopId): string {
  return path.join(home, 'jobs', pathPart(loop));
}

/** The files of each job of a loop. */
export function jobsIn(home: string, loop: LoopId): readonly JobFiles[] {
  const names = ignoringErrno(() => readdirSync(folderOf(home, loop))) ?? [];
  return names
    .filter((name) => name.endsWith(JOB))
    .map((name) => filesOf({ home, loop, key: name.slice(0, -JOB.length) }));
}

export function filesOf({ home, loop, key }: JobPlace): JobFiles {
  const base = path.join(folderOf(home, loop), key);
  return { job: `${base}${JOB}`, result: `${base}.result.json`, worker: `${base}.worker.json` };
}

import { readdirSync } from 'node:fs';
import type { LoopId } from '../core/loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import { modifiedMs } from '../system/folder.ts';
import { isAlive } from './end-jobs.ts';
import { filesOf, folderOf, readJob } from './job-files.ts';

const JOB = '.job.json';

/**
 * Was the last hook of a loop ended while it waited for its checks, and has nothing happened since then? `seenMs`: when the loop last changed
 * or its agent last worked, whichever was later.
 */
export function isCutOff(home: string, loop: LoopId, seenMs: number): boolean {
  const names = ignoringErrno(() => readdirSync(folderOf(home, loop))) ?? [];
  return names.some((name) => {
    if (!name.endsWith(JOB)) return false;
    const files = filesOf({ home, loop, key: name.slice(0, -JOB.length) });
    const job = readJob(files);
    if (job === undefined || job.outlived || isAlive(job.hook)) return false;
    return (modifiedMs(files.job) ?? 0) > seenMs;
  });
}

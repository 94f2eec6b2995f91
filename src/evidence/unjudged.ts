import type { LoopId } from '../core/loop.ts';
import { modifiedMs } from '../system/folder.ts';
import { isAlive } from './end-jobs.ts';
import { jobsIn, readJob } from './job-files.ts';

/**
 * Was the last hook of a loop ended while it waited for its checks, and has nothing happened since then? `seenMs`: when the loop last changed
 * or its agent last worked, whichever was later.
 */
export function isUnjudged(home: string, loop: LoopId, seenMs: number): boolean {
  return jobsIn(home, loop).some((files) => {
    const job = readJob(files);
    if (job === undefined || job.outlived || isAlive(job.hook)) return false;
    return (modifiedMs(files.job) ?? 0) > seenMs;
  });
}

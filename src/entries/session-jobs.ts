import type { CheckJob } from '../hook/hook-world.ts';
import type { LoopId } from '../core/loop.ts';
import { jobsOf } from '../evidence/check-jobs.ts';

/** What `tireless wait` may tell an agent: hold-out checks leave no trace. */
export function checkJobsOf(home: string, loop: LoopId): readonly CheckJob[] {
  return jobsOf(home, loop).map(({ job, result, alive }) => {
    const hidden = new Set(
      job.batch.requests.flatMap((request) =>
        request.kind === 'check' && request.check.holdout ? [request.check.name] : [],
      ),
    );
    const results =
      result?.answers.flatMap((answer) =>
        answer.kind === 'check' && !hidden.has(answer.result.name) ? [answer.result] : [],
      ) ?? null;
    return { results, alive };
  });
}

import { tailWithin } from '../core/quoting.ts';
import type { Steps } from './command-steps.ts';
import type { LookResult } from './file-probes.ts';
import { readStatus } from './git-status.ts';

const DETAIL_BYTES_MAX = 2000;

/** Passes if nothing is uncommitted or untracked in the repository around the project. Without a repository or git: `unknown`. */
export function* lookAtGit(cwd: string): Steps<LookResult> {
  const { answer, status } = yield* readStatus(cwd);
  if (answer.timedOut) return { result: 'unknown', unknown: 'timed-out', detail: 'git gave no answer in time.' };
  if (status === undefined) {
    const reason = tailWithin((answer.troubleDetail ?? '') || answer.stderrTail.trim(), DETAIL_BYTES_MAX);
    return {
      result: 'unknown',
      unknown: 'not-runnable',
      detail: reason || 'git cannot tell whether the work tree is clean.',
    };
  }
  if (status.paths.length === 0) return { result: 'passed', detail: 'Nothing to commit.' };
  return { result: 'failed', detail: tailWithin(`Not committed:\n${status.paths.join('\n')}`, DETAIL_BYTES_MAX) };
}

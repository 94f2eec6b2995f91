import type { Pause } from '../core/loop.ts';
import { headWithin } from '../core/quoting.ts';

const QUESTION_BYTES_MAX = 2000;

/** Why a loop in a state file waits, in its document's words. */
export function pauseWords(pause: Pick<Pause, 'cause' | 'question' | 'request'> | null): string {
  if (pause === null) return 'no reason was given';
  const question = headWithin(pause.question ?? '', QUESTION_BYTES_MAX);
  return pause.cause === 'handed-over' || question === '' ? causeWords(pause) : question;
}

function causeWords({ cause, request }: Pick<Pause, 'cause' | 'request'>): string {
  switch (cause) {
    case 'user':
      return 'you paused it';
    case 'trouble':
      return 'its driver could not continue';
    case 'aborted':
      return "you stopped the agent's turn";
    case 'blocked':
      return 'the agent says that it is blocked';
    case 'failed':
      return "the agent's turn failed";
    case 'approval':
      return 'the finish needs your approval';
    case 'review':
      return 'the work needs your review';
    case 'usage-limit':
      return 'the agent reached its usage limit';
    case 'usage-unknown':
      return 'a limit on cost or tokens is set, and the agent does not report what it used';
    case 'handed-over':
      return request === 'context-full'
        ? 'the conversation has no room for another turn'
        : 'the host limits how often in a row a hook may continue the agent';
  }
}

/** How to continue it, in one line. */
export function resumeWords(loop: string, pause: Pick<Pause, 'cause'> | null): string {
  const command = `tireless resume ${loop}`;
  if (pause?.cause === 'usage-unknown')
    return `to continue without that limit: ${command} --max-cost unlimited --max-tokens unlimited`;
  return pause?.cause === 'handed-over'
    ? `to continue, write to the agent in its session (outside of it: ${command})`
    : `resume with: ${command}`;
}

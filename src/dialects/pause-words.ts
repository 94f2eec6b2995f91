import type { Pause } from '../core/loop.ts';
import { headWithin } from '../core/quoting.ts';

const SAID_BYTES_MAX = 2000;

/** Why a loop in a state file waits, in words for its document. */
export function pauseWords(pause: Pick<Pause, 'cause' | 'question' | 'request'> | null): string {
  if (pause === null) return 'nobody says why';
  const said = headWithin(pause.question ?? '', SAID_BYTES_MAX);
  return pause.cause === 'handed-over' || said === '' ? causeWords(pause) : said;
}

function causeWords({ cause, request }: Pick<Pause, 'cause' | 'request'>): string {
  switch (cause) {
    case 'user':
      return 'you paused it';
    case 'trouble':
      return 'its driver could not go on';
    case 'aborted':
      return "the agent's turn was stopped by hand";
    case 'blocked':
      return 'the agent says that it is blocked';
    case 'failed':
      return "the agent's turn failed";
    case 'approval':
      return 'the finish needs your approval';
    case 'review':
      return 'the work needs your review';
    case 'usage-limit':
      return 'the usage limit of the agent is reached';
    case 'usage-unknown':
      return 'a limit on cost or tokens is set, and the agent does not report what it used';
    case 'handed-over':
      return request === 'context-full'
        ? 'the conversation has no room for another turn'
        : 'the host lets a hook keep the agent going only so often in a row';
  }
}

/** How to continue it, in one line. */
export function resumeWords(loop: string, pause: Pick<Pause, 'cause'> | null): string {
  const command = `tireless resume ${loop}`;
  return pause?.cause === 'handed-over'
    ? `to continue, write to the agent in its session (outside of it: ${command})`
    : `resume with: ${command}`;
}

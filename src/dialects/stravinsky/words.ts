import type { Decision } from '../../core/decision.ts';
import type { Loop } from '../../core/journal.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Answer, Words } from '../dialect.ts';
import { pauseWords, resumeWords } from '../pause-words.ts';

export const CONTINUATION_PROMPT: string = [
  '[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE]',
  'This is an automated continuation loop. Review your progress:',
  '- Check what has been completed',
  '- Continue working towards the goal',
  '- If complete, explicitly state the completion promise',
  '- If blocked, explain the issue',
].join('\n');

export function wordsFor({ decision, loop }: Answer): Words {
  const sendsBack = decision.kind === 'continue' && loop !== null;
  const notice = loop === null ? null : (pausedNotice(decision, loop) ?? endNotice(decision, loop));
  return {
    sendsBack,
    text: sendsBack ? promptOf(loop.spec, loop.state) : '',
    reason: decision.kind,
    ...(notice === null ? {} : { notice: `tireless: ${notice}` }),
  };
}

/** How the loop ended, if not by a limit; `null` = it did not. */
function endNotice(decision: Decision, { state: { loop } }: Loop): string | null {
  if (decision.kind === 'complete')
    return `The continuation loop is complete: the promise was found; why: tireless explain ${loop}`;
  if (decision.kind !== 'cancel') return null;
  if (decision.because === undefined) return 'The continuation loop was cancelled, and its file is switched off';
  return `The continuation loop has ended: its file is ${decision.because === 'file-removed' ? 'gone' : 'switched off'}`;
}

/** For a stop of the loop's own session while the loop is paused; `null` = it is not. */
export function pausedNotice(decision: Decision, { state: { loop, status, pause } }: Loop): string | null {
  if (decision.kind !== 'abstain' || decision.because !== 'not-running' || status !== 'paused') return null;
  return `The continuation loop is paused: ${pauseWords(pause)}; ${resumeWords(loop, pause)}`;
}

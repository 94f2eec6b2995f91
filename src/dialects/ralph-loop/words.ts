import type { Loop } from '../../core/journal.ts';
import { promptOf } from '../../core/prompt.ts';
import { dayLimitText } from '../day-limit.ts';
import type { Answer, Words } from '../dialect.ts';
import { pauseWords, resumeWords } from '../pause-words.ts';
import { RALPH_LOOP_FILE } from './descriptor.ts';

export function wordsFor({ decision, loop, reading }: Answer): Words {
  if (decision.kind === 'continue' && loop !== null) {
    const { claim } = loop.spec;
    const notice = `🔄 Ralph iteration ${loop.state.counted + 1} | ${ending(claim.texts[0], loop)}`;
    return { sendsBack: true, text: promptOf(loop.spec, loop.state), reason: notice, notice };
  }
  const notice = endNotice({ decision, loop, reading });
  return { sendsBack: false, text: '', reason: notice ?? '', ...(notice === undefined ? {} : { notice }) };
}

function ending(claim: string | undefined, { state }: Loop): string {
  return claim === undefined
    ? `No completion promise set - the loop ends at iteration ${state.limits.iterationsMax}`
    : `To stop: output <promise>${claim}</promise> (ONLY when statement is TRUE - do not lie to exit!)`;
}

/** `undefined` = nothing to report: there is no loop, or it is another session's. */
function endNotice({ decision, loop, reading }: Answer): string | undefined {
  switch (decision.kind) {
    case 'complete':
      return `✅ Ralph loop: Detected <promise>${loop?.state.claimed ?? ''}</promise>`;
    case 'halt':
      return decision.guard === 'iterations-max'
        ? `🛑 Ralph loop: Max iterations (${decision.limit}) reached.`
        : `🛑 Ralph loop: stopped (${decision.guard === 'day-max' ? dayLimitText(decision) : decision.guard}).`;
    case 'pause':
      return `⏸️ Ralph loop: waits for you: ${pauseWords(decision)}${loop === null ? '' : `; ${resumeWords(loop.state.loop, decision)}`}`;
    case 'cancel':
      return '🛑 Ralph loop: cancelled.';
    case 'continue':
    case 'record':
    case 'refuse':
      return undefined;
    case 'abstain':
      if (decision.because === 'not-running' && loop?.state.status === 'paused')
        return `⏸️ Ralph loop: paused: ${pauseWords(loop.state.pause)}; ${resumeWords(loop.state.loop, loop.state.pause)}`;
      return reading?.kind === 'invalid'
        ? `⚠️ Ralph loop: the state file ${RALPH_LOOP_FILE} cannot be read: ${reading.why}. Correct it or delete it; until then the agent may stop.`
        : undefined;
  }
}

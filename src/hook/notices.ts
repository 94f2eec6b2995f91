import type { Decision } from '../core/decision.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { LoopId } from '../core/loop.ts';
import { oneLine } from '../views/printable.ts';
import { decisionSentence, pauseAction } from '../views/sentences.ts';

const WHY_CHARS_MAX = 300;

type Noticed = { readonly decision: Decision; readonly loop: LoopId | null; readonly reading?: FileReading | null };

/** What the user has to know when an agent stops: that the work is done, a limit, a question, a file nobody can read. `null` = nothing. */
export function noticeOf({ decision, loop, reading }: Noticed): string | null {
  if (reading?.kind === 'invalid')
    return `tireless: the state file cannot be read (${oneLine(reading.why, WHY_CHARS_MAX)}), so the agent may stop. Correct it or delete it.`;
  // What never ends holds a loop up for ever, and only the user can see that.
  if (decision.kind === 'abstain' && decision.because === 'background-work' && reading === undefined)
    return `tireless: loop ${loop ?? ''} waits: the agent still has work in the background, so this stop is not judged. It is at the next stop after that; a server that runs on has to be ended for it.`;
  if (decision.kind !== 'complete' && decision.kind !== 'halt' && decision.kind !== 'pause') return null;
  const next =
    loop === null
      ? []
      : decision.kind === 'pause'
        ? pauseAction(loop, decision).map((line) => line.replaceAll(/\s+/g, ' '))
        : [`why: tireless explain ${loop}`];
  return [`tireless: ${decisionSentence(decision)}`, ...next].join('; ');
}

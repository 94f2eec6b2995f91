import { promptOf } from '../../core/prompt.ts';
import type { Answer, Words } from '../dialect.ts';

export const DEFAULT_TRACKER_TEMPLATE = '# Loop Progress\n\n_In progress_';

/** Says where the marker is written down, not the marker itself: a copy of this text in the tracker must not end the loop. */
export const DEFAULT_CONTINUE_MESSAGE =
  'Continue working on the task. Read the loop tracker, take the next open item and update the tracker as you go. When everything is done, write the completion marker that its front matter names into its body.';

export function wordsFor({ decision, loop, reading }: Answer): Words {
  switch (decision.kind) {
    case 'continue': {
      const text = loop === null ? DEFAULT_CONTINUE_MESSAGE : promptOf(loop.spec, loop.state);
      return { goesOn: true, text, reason: text };
    }
    case 'complete':
      return stops('completion marker found');
    case 'halt':
      return stops(decision.guard === 'iterations-max' ? 'max iterations reached' : `halted: ${decision.guard}`);
    case 'cancel':
      return stops(reading === null ? 'the tracker is gone' : 'the loop was cancelled');
    case 'pause':
      return stops(`paused: ${decision.cause}`);
    case 'abstain':
      return stops(
        reading?.kind === 'invalid' ? reading.why : reading === null ? 'the tracker is gone' : 'no active loop',
      );
    case 'record':
    case 'refuse':
      return stops('no active loop');
  }
}

function stops(reason: string): Words {
  return { goesOn: false, text: '', reason };
}

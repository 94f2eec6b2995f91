import { promptOf } from '../../core/prompt.ts';
import { fillTemplate } from '../../core/template.ts';
import type { Answer, Words } from '../dialect.ts';

export const DEFAULT_TRACKER_TEMPLATE = '# Loop Progress\n\n_In progress_';

/** One copy of it in the tracker does not end the loop, although it names the marker. */
export const DEFAULT_CONTINUE_TEMPLATE =
  'Continue working on the task. Read the loop tracker {{FILE}}, take the next open item and update the tracker as you go. When everything is done, write the completion marker "{{CLAIM}}" into its body, below the front matter.';

/** What a blocked stop says without a `continueMessage`. `trackerFile` is relative to the project. */
export function defaultContinueMessage(trackerFile: string, completionMarker: string): string {
  return fillTemplate(DEFAULT_CONTINUE_TEMPLATE, { FILE: trackerFile, CLAIM: completionMarker });
}

export function wordsFor({ decision, loop, reading }: Answer): Words {
  switch (decision.kind) {
    case 'continue': {
      const marker = reading?.kind === 'loop' ? (reading.claim.texts[0] ?? '') : '';
      const text = loop === null ? defaultContinueMessage('loop-tracker.md', marker) : promptOf(loop.spec, loop.state);
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

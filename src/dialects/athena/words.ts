import type { Loop } from '../../core/journal.ts';
import { promptOf } from '../../core/prompt.ts';
import { fillTemplate } from '../../core/template.ts';
import { maximumFor } from '../counting.ts';
import { dayLimitText } from '../day-limit.ts';
import type { Answer, Words } from '../dialect.ts';
import { pauseWords, resumeWords } from '../pause-words.ts';
import { descriptor } from './descriptor.ts';

export const DEFAULT_TRACKER_TEMPLATE = '# Loop Progress\n\n_In progress_';

/** A single copy of this in the tracker does not end the loop, although it contains the marker. */
export const DEFAULT_CONTINUE_TEMPLATE =
  'Continue working on the task. Read the loop tracker {{FILE}}, take the next open item and update the tracker as you go. When everything is done, write the completion marker "{{CLAIM}}" into its body, below the front matter.';

/** The message for a blocked stop without a `continueMessage`. `trackerFile` is relative to the project. */
export function defaultContinueMessage(trackerFile: string, completionMarker: string): string {
  return fillTemplate(DEFAULT_CONTINUE_TEMPLATE, { FILE: trackerFile, CLAIM: completionMarker });
}

export function wordsFor({ decision, loop, reading }: Answer): Words {
  switch (decision.kind) {
    case 'continue': {
      const marker = reading?.kind === 'loop' ? (reading.claim.texts[0] ?? '') : '';
      const text = loop === null ? defaultContinueMessage('loop-tracker.md', marker) : promptOf(loop.spec, loop.state);
      return { sendsBack: true, text, reason: text };
    }
    case 'complete':
      return logged('completion marker found', loop);
    case 'halt':
      return decision.guard === 'iterations-max'
        ? logged('max iterations reached', loop, numbersOf(decision.limit))
        : stops(decision.guard === 'day-max' ? dayLimitText(decision) : `halted: ${decision.guard}`);
    case 'cancel':
      if (reading !== null) return stops('the loop was cancelled');
      return logged(decision.because === undefined ? 'you cancelled the loop' : 'the tracker is gone', loop);
    case 'pause':
      return stops(`paused: ${pauseWords(decision)}`);
    case 'abstain':
      if (decision.because === 'not-running' && loop?.state.status === 'paused') return paused(loop);
      return stops(
        reading?.kind === 'invalid' ? reading.why : reading === null ? 'the tracker is gone' : 'no active loop',
      );
    case 'record':
    case 'refuse':
      return stops('no active loop');
  }
}

/** The document logs how a loop ended; in a hook the user sees that log. */
function logged(reason: string, loop: Answer['loop'], numbers = ''): Words {
  if (loop === null) return stops(reason);
  const { spec, state } = loop;
  const notice = `tireless: loop tracker ${spec.dialect?.file ?? ''}: ${reason}${numbers}; why: tireless explain ${state.loop}`;
  return { ...stops(reason), notice };
}

/** A stop of a loop that waits for a person. */
function paused({ spec, state: { loop, pause } }: Loop): Words {
  const reason = `paused: ${pauseWords(pause)}`;
  const notice = `tireless: loop tracker ${spec.dialect?.file ?? ''}: ${reason}; ${resumeWords(loop, pause)}`;
  return { ...stops(reason), notice };
}

/** In the tracker's own numbers. */
function numbersOf(limit: number | null): string {
  if (limit === null) return '';
  const maximum = maximumFor(limit, descriptor.counting);
  return ` (${maximum} of ${maximum})`;
}

function stops(reason: string): Words {
  return { sendsBack: false, text: '', reason };
}

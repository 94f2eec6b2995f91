import { counterFor } from '../counting.ts';
import type { Decision } from '../../core/decision.ts';
import type { Pause } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Answer, Words } from '../dialect.ts';
import { pauseWords, resumeWords } from '../pause-words.ts';
import { descriptor } from './descriptor.ts';

/** The document's own words, including trailing spaces. */
export const CONTINUATION_PROMPT_TEMPLATE = `[RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]

Your previous attempt did not output the completion promise. Continue working on the task.

IMPORTANT:
- Review your progress so far
- Continue from where you left off  
- When FULLY complete, output: <promise>{{PROMISE}}</promise>
- Do not stop until the task is truly done

Original task:
{{PROMPT}}`;

/** The template with the placeholders that the engine fills in. */
export const CONTINUATION: string = CONTINUATION_PROMPT_TEMPLATE.replace('{{PROMISE}}', '{{CLAIM}}').replace(
  '{{PROMPT}}',
  '{{GOAL}}',
);

export function wordsFor(answer: Answer): Words {
  const { decision, loop } = answer;
  const sendsBack = decision.kind === 'continue';
  const toast = supercodeToast(answer);
  return {
    sendsBack,
    text: sendsBack && loop !== null ? promptOf(loop.spec, loop.state) : '',
    reason: toast?.message ?? '',
    ...(toast !== null && (hasOwnWords(decision) || isPaused(answer)) ? { notice: noticeOf(toast) } : {}),
  };
}

/** The document has toasts for endings and progress. For the rest, tireless's own sentences are better, because they name the next step. */
function hasOwnWords(decision: Decision): boolean {
  return (
    decision.kind === 'continue' ||
    decision.kind === 'complete' ||
    (decision.kind === 'halt' && decision.guard === 'iterations-max')
  );
}

/** A stop of a loop that waits for a person. */
function isPaused({ decision, loop }: Answer): boolean {
  return decision.kind === 'abstain' && decision.because === 'not-running' && loop?.state.status === 'paused';
}

/** A toast on one line, for a host without toasts. */
function noticeOf({ title, message }: Toast): string {
  return `${title}${title.endsWith('!') ? '' : ':'} ${message}`;
}

/** The log lines that the document defines for an answer. */
export function supercodeNews({
  decision,
  loop,
}: Answer): { readonly message: string; readonly details: object } | null {
  if (loop === null) return null;
  const { counted, limits } = loop.state;
  switch (decision.kind) {
    case 'continue':
      return { message: 'Continuing loop', details: { iteration: decision.iteration, max: limits.iterationsMax } };
    case 'complete':
      return {
        message: 'Completion detected!',
        details: { iteration: counted, promise: loop.spec.claim.texts[0] },
      };
    case 'halt':
      return decision.guard === 'iterations-max'
        ? { message: 'Max iterations reached', details: { iteration: counted, max: limits.iterationsMax } }
        : null;
    case 'pause':
    case 'abstain':
    case 'cancel':
    case 'record':
    case 'refuse':
      return null;
  }
}

function pauseToast(pause: Pick<Pause, 'cause' | 'question' | 'request'> | null, loop: Answer['loop']): Toast {
  const resume = loop === null ? '' : `; ${resumeWords(loop.state.loop, pause)}`;
  return { title: 'Ralph Loop Paused', message: `${pauseWords(pause)}${resume}`, variant: 'warning', duration: 5000 };
}

function haltMessage({ guard, limit, actual }: Decision & { kind: 'halt' }, iterationsMax: number | string): string {
  if (guard === 'iterations-max') return `Max iterations (${iterationsMax}) reached without completion`;
  return guard === 'day-max'
    ? `${actual} of ${limit} turns used today by the state files of this project. createRalphLoopHook({ dayTurnsMax: ${(limit ?? 0) * 5} }) allows more`
    : `Stopped by a limit: ${guard}`;
}

/** The document's own toast, for a file that could not be removed at once. */
function cancelToast(counted: number): Toast {
  const message = `Stopped at iteration ${counterFor(counted, descriptor.counting)}`;
  return { title: 'Ralph Loop Cancelled', message, variant: 'info', duration: 2000 };
}

export type Toast = { title: string; message: string; variant: string; duration?: number };

/** The toast that the document shows for an answer; `null` = none. */
export function supercodeToast(answer: Answer): Toast | null {
  const { decision, loop, reading } = answer;
  const { counted, limits } = loop?.state ?? { counted: 0, limits: { iterationsMax: descriptor.maxIterationsDefault } };
  switch (decision.kind) {
    case 'continue':
      return {
        title: 'Ralph Loop',
        message: `Iteration ${decision.iteration}/${limits.iterationsMax}`,
        variant: 'info',
        duration: 2000,
      };
    case 'complete':
      return {
        title: 'Ralph Loop Complete!',
        message: `Task completed after ${counted} iteration(s)`,
        variant: 'success',
        duration: 5000,
      };
    case 'halt':
      return {
        title: 'Ralph Loop Stopped',
        message: haltMessage(decision, limits.iterationsMax),
        variant: 'warning',
        duration: 5000,
      };
    case 'pause':
      return pauseToast(decision, loop);
    case 'abstain':
      if (isPaused(answer)) return pauseToast(loop?.state.pause ?? null, loop);
      return decision.because === 'file-unreadable' && reading?.kind === 'invalid'
        ? {
            title: 'Ralph Loop',
            message: `The state file cannot be read: ${reading.why}`,
            variant: 'error',
            duration: 5000,
          }
        : null;
    case 'cancel':
      // Whoever removed or switched off the file already knows.
      return decision.because === undefined ? cancelToast(counted) : null;
    case 'record':
    case 'refuse':
      return null;
  }
}

import * as z from 'zod/mini';
import type { ClaimRule } from '../../core/claim.ts';
import type { Loop } from '../../core/journal.ts';
import { isEnded } from '../../core/loop.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Counting } from '../counting.ts';
import { counterFor, countedFrom, turnsAllowed } from '../counting.ts';
import type { Answer, Dialect, Words } from '../dialect.ts';
import { readJson, setValues } from '../json-file.ts';

export const SUPERCODE_FILE = '.supercoin/ralph-loop-state.json';
export const DEFAULT_MAX_ITERATIONS = 100;
export const DEFAULT_COMPLETION_PROMISE = 'DONE';

/** The document's own words, trailing spaces and all. */
export const CONTINUATION_PROMPT_TEMPLATE = `[RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]

Your previous attempt did not output the completion promise. Continue working on the task.

IMPORTANT:
- Review your progress so far
- Continue from where you left off  
- When FULLY complete, output: <promise>{{PROMISE}}</promise>
- Do not stop until the task is truly done

Original task:
{{PROMPT}}`;

/** The same with the names that the engine fills in. */
const CONTINUATION = CONTINUATION_PROMPT_TEMPLATE.replace('{{PROMISE}}', '{{CLAIM}}').replace('{{PROMPT}}', '{{GOAL}}');

/** The counter shows the iteration in progress; a stop compares it with the maximum and adds one only to go on. */
const COUNTING: Counting = { start: 1, addsFirst: false };

/** Unknown keys pass. What the loop cannot run without must be there; a missing `active` is not a reason to loop. */
const fieldsSchema = z.looseObject({
  active: z._default(z.boolean(), false),
  iteration: z._default(z.number(), COUNTING.start),
  maxIterations: z._default(z.number(), DEFAULT_MAX_ITERATIONS),
  completionPromise: z._default(z.string(), DEFAULT_COMPLETION_PROMISE),
  startedAt: z._default(z.string(), ''),
  prompt: z.string(),
  sessionId: z._default(z.string(), ''),
  lastIterationAt: z.optional(z.string()),
  description: z.optional(z.string()),
});

/** Keys of the user's own travel along unseen. */
export type SupercodeFields = {
  active: boolean;
  iteration: number;
  maxIterations: number;
  completionPromise: string;
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string | undefined;
  description?: string | undefined;
};

/** The fields as the document names them, or why there are none. */
export function readSupercodeFields(text: string): { readonly fields: SupercodeFields } | { readonly why: string } {
  const value = readJson(text);
  if (value === undefined) return { why: 'it is not JSON' };
  const parsed = fieldsSchema.safeParse(value);
  if (parsed.success) return { fields: parsed.data };
  const [issue] = parsed.error.issues;
  return { why: `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'not what it should be'}` };
}

/** Anywhere in the message, in any case, white space around it allowed. */
export function supercodeClaim(text: string): ClaimRule {
  return { texts: [text], form: 'tag-anywhere', tag: 'promise', fold: true };
}

/** The text with its counter set, and the time of that; a counter that is right already is not touched. */
export function withIteration(text: string, iteration: number, at: string): string {
  const found = readSupercodeFields(text);
  if ('why' in found || found.fields.iteration === iteration) return text;
  return setValues(text, [
    { path: ['iteration'], value: iteration },
    { path: ['lastIterationAt'], value: at },
  ]);
}

/** `.supercoin/ralph-loop-state.json`: there while the loop runs, gone when it is over. It names its session. */
export const supercode: Dialect = {
  name: 'supercode',
  read,
  project,
  withSession,
  filesFor: () => [SUPERCODE_FILE],
  wordsFor,
  replyForm: 'json',
};

function read(text: string): FileReading {
  const found = readSupercodeFields(text);
  if ('why' in found) return { kind: 'invalid', why: found.why };
  const { active, iteration, maxIterations, completionPromise, prompt, sessionId } = found.fields;
  return {
    kind: 'loop',
    active,
    session: sessionId === '' ? null : sessionId,
    goal: prompt,
    claim: supercodeClaim(completionPromise),
    criteria: [],
    counted: countedFrom(iteration, COUNTING),
    iterationsMax: turnsAllowed(maxIterations, COUNTING),
    continuation: CONTINUATION,
  };
}

function withSession(text: string, session: string): string {
  return setValues(text, [{ path: ['sessionId'], value: session }]);
}

function project(text: string | null, { state }: Loop): string | null {
  if (text === null) return null;
  const found = read(text);
  if (found.kind === 'invalid') return text;
  // Another session's loop took the file over meanwhile: not ours to count in or to remove.
  if (found.session !== null && state.session !== null && found.session !== state.session.id) return text;
  // Switched off by hand: that ended the loop, and the file stays as the user left it.
  if (isEnded(state)) return found.active ? null : text;
  return withIteration(text, counterFor(state.counted, COUNTING), state.updatedAt);
}

function wordsFor(answer: Answer): Words {
  const { decision, loop } = answer;
  const goesOn = decision.kind === 'continue';
  return {
    goesOn,
    text: goesOn && loop !== null ? promptOf(loop.spec, loop.state) : '',
    reason: supercodeToast(answer)?.message ?? '',
  };
}

/** What the document logs for an answer, when it knows that answer. */
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

export type Toast = { title: string; message: string; variant: string; duration?: number };

/** What the document shows the user for an answer; `null` = nothing. */
export function supercodeToast({ decision, loop, reading }: Answer): Toast | null {
  const { counted, limits } = loop?.state ?? { counted: 0, limits: { iterationsMax: DEFAULT_MAX_ITERATIONS } };
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
        message:
          decision.guard === 'iterations-max'
            ? `Max iterations (${limits.iterationsMax}) reached without completion`
            : `Stopped by a limit: ${decision.guard}`,
        variant: 'warning',
        duration: 5000,
      };
    case 'pause':
      return {
        title: 'Ralph Loop Paused',
        message: decision.question ?? decision.cause,
        variant: 'warning',
        duration: 5000,
      };
    case 'abstain':
      return decision.because === 'file-unreadable' && reading?.kind === 'invalid'
        ? {
            title: 'Ralph Loop',
            message: `The state file cannot be read: ${reading.why}`,
            variant: 'error',
            duration: 5000,
          }
        : null;
    case 'cancel':
    case 'record':
    case 'refuse':
      return null;
  }
}

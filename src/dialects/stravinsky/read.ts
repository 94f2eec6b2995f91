import * as z from 'zod/mini';
import type { ClaimRule } from '../../core/claim.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Counting } from '../counting.ts';
import { counterFor, countedFrom, turnsAllowed } from '../counting.ts';
import type { Answer, Dialect, Words } from '../dialect.ts';
import type { FrontMatter } from '../front-matter.ts';
import { readFrontMatter, setFields } from '../front-matter.ts';
import type { Todo } from '../todos.ts';
import { loopFromTodos } from '../todos.ts';

export const CONTINUATION_LOOP_FILE = '.stravinsky/continuation-loop.md';
export const DEFAULT_MAX_ITERATIONS = 10;

export const CONTINUATION_PROMPT: string = [
  '[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE]',
  'This is an automated continuation loop. Review your progress:',
  '- Check what has been completed',
  '- Continue working towards the goal',
  '- If complete, explicitly state the completion promise',
  '- If blocked, explain the issue',
].join('\n');

/** The counter stands at 1 while the first turn is worked on, and a stop adds one before it compares. */
const COUNTING: Counting = { start: 1, addsFirst: true };

/** The fields of the state file under the document's own names, with its defaults for what is missing. */
export type ContinuationState = {
  readonly iteration_count: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  readonly active: boolean;
  /** What stands below the front matter, byte for byte. */
  readonly body: string;
};

export const stravinsky: Dialect = {
  name: 'stravinsky',
  read: (text) => {
    const state = parseState(text);
    if (state === undefined) return { kind: 'invalid', why: INVALID };
    return {
      kind: 'loop',
      active: state.active,
      session: null,
      goal: state.body.trim() === '' ? state.completion_promise : state.body.trim(),
      claim: claimOf(state.completion_promise),
      criteria: [],
      counted: countedFrom(state.iteration_count, COUNTING),
      iterationsMax: turnsAllowed(state.max_iterations, COUNTING),
      continuation: CONTINUATION_PROMPT,
    };
  },
  project: (text, { state }) => {
    // The document deletes the file on success. At the limit it stays, so that a raised maximum goes on from there.
    if (text === null || state.status === 'completed') return null;
    const now = parseState(text);
    if (now === undefined) return text;
    const counter = counterFor(state.counted, COUNTING);
    return setFields(text, {
      ...(countedFrom(now.iteration_count, COUNTING) === state.counted ? {} : { iteration_count: counter }),
      ...(state.status === 'cancelled' && now.active ? { active: false } : {}),
    });
  },
  filesFor: () => [CONTINUATION_LOOP_FILE],
  wordsFor,
  replyForm: 'exit',
};

export type NewContinuation = {
  readonly goal: string;
  readonly completionPromise: string;
  readonly maxIterations?: number;
};

/** The state file of a loop that has not begun. The promise is quoted as JSON, which is YAML whatever stands in it. */
export function newContinuation({ goal, completionPromise, maxIterations }: NewContinuation): string {
  return [
    '---',
    `iteration_count: ${COUNTING.start}`,
    `max_iterations: ${maxIterations ?? DEFAULT_MAX_ITERATIONS}`,
    `completion_promise: ${JSON.stringify(completionPromise)}`,
    'active: true',
    '---',
    '',
    `${goal.trim()}\n`,
  ].join('\n');
}

/** A state file for what is still open on a todo list; `undefined` = nothing is. */
export function continuationFromTodos(
  todos: readonly Todo[],
  asked: Partial<Omit<NewContinuation, 'goal'>> = {},
): string | undefined {
  const { goal } = loopFromTodos(todos);
  return goal === '' ? undefined : newContinuation({ completionPromise: 'All TODOs complete', ...asked, goal });
}

/** `undefined` = the document ignores such a file. What is missing gets its safe value; what is there and no number is not guessed. */
export function parseState(text: string): ContinuationState | undefined {
  const matter = readFrontMatter(text);
  const fields = Fields.safeParse(matter?.fields);
  if (matter === undefined || !fields.success) return undefined;
  const { iteration_count, max_iterations, active } = fields.data;
  return {
    iteration_count: iteration_count ?? COUNTING.start,
    max_iterations: max_iterations ?? DEFAULT_MAX_ITERATIONS,
    completion_promise: promiseIn(matter),
    active: active === true || (typeof active === 'string' && active.trim().toLowerCase() === 'true'),
    body: matter.body,
  };
}

const INVALID =
  'it needs YAML between two "---" lines, the first of them on line 1, with whole numbers for iteration_count and max_iterations';

const Digits = z.pipe(z.string().check(z.regex(/^\s*[+-]?\d+\s*$/u)), z.transform(Number));
const Whole = z.nullish(z.pipe(z.union([z.number(), Digits]), z.int()));
const Fields = z.object({ iteration_count: Whole, max_iterations: Whole, active: z.optional(z.unknown()) });

/** As it is written, when it is no string for YAML: `1.0` must not become a promise that every "1" keeps. */
function promiseIn({ fields, sources }: FrontMatter): string {
  const value = fields['completion_promise'];
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join('|');
  return value === null || value === undefined ? '' : (sources['completion_promise'] ?? '');
}

function claimOf(promise: string): ClaimRule {
  const texts = promise.split('|').map((text) => text.trim());
  return { texts: texts.filter((text) => text !== ''), form: 'text-anywhere', tag: '', fold: true };
}

function wordsFor({ decision, loop }: Answer): Words {
  const goesOn = decision.kind === 'continue' && loop !== null;
  return { goesOn, text: goesOn ? promptOf(loop.spec, loop.state) : '', reason: decision.kind };
}

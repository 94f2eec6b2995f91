import type { Loop } from '../../core/journal.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, countedFrom, maximumFor, numberOfLimit } from '../counting.ts';
import { setFields } from '../front-matter.ts';
import type { Todo } from '../todos.ts';
import { loopFromTodos } from '../todos.ts';
import { descriptor } from './descriptor.ts';
import { parseState } from './read.ts';

export function project(text: string | null, { state }: Loop): string | null {
  // The document deletes the file on success. At the limit it stays, so that a raised maximum goes on from there.
  if (text === null || state.status === 'completed') return null;
  const now = parseState(text);
  if (now === undefined) return text;
  const counter = counterFor(state.counted, descriptor.counting);
  return setFields(text, {
    ...(countedFrom(now.iteration_count, descriptor.counting) === state.counted ? {} : { iteration_count: counter }),
    ...(state.status === 'cancelled' && now.active ? { active: false } : {}),
  });
}

export function newText({ spec, state }: Loop): string {
  return [
    '---',
    `iteration_count: ${counterFor(state.counted, descriptor.counting)}`,
    `max_iterations: ${maximumFor(numberOfLimit(state.limits.iterationsMax), descriptor.counting)}`,
    `completion_promise: ${JSON.stringify(spec.claim.texts.join('|'))}`,
    `active: ${!isEnded(state)}`,
    '---',
    spec.goal.trim(),
    '',
  ].join('\n');
}

export type NewContinuation = {
  readonly goal: string;
  readonly completionPromise: string;
  readonly maxIterations?: number;
};

/** The state file of a loop that has not begun. The promise is quoted as JSON, which is YAML whatever stands in it. */
export function newContinuation({ goal, completionPromise, maxIterations }: NewContinuation): string {
  return [
    '---',
    `iteration_count: ${descriptor.counting.start}`,
    `max_iterations: ${maxIterations ?? descriptor.maxIterationsDefault}`,
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

import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';
import type { Todo } from '../todos.ts';
import { loopFromTodos } from '../todos.ts';
import { descriptor } from './descriptor.ts';

/** The fields of a new state file, with the document's names or in the spelling of this library. */
export type NewContinuation = {
  /** The text below the front matter; `body` is the same, as `readState` names it. */
  readonly goal?: string;
  readonly body?: string;
  readonly max_iterations?: number;
  readonly maxIterations?: number;
  readonly iteration_count?: number;
  readonly active?: boolean;
} & (
  | { readonly completion_promise: string; readonly completionPromise?: never }
  | { readonly completionPromise: string; readonly completion_promise?: never }
);

const whole = z.optional(z.int());
const text = z.optional(z.string());
const askedSchema = z.strictObject({
  goal: text,
  body: text,
  completion_promise: text,
  completionPromise: text,
  max_iterations: whole,
  maxIterations: whole,
  iteration_count: whole,
  active: z.optional(z.boolean()),
});
const TWO_NAMES = [
  ['completion_promise', 'completionPromise'],
  ['max_iterations', 'maxIterations'],
  ['goal', 'body'],
] as const;

/** The state file of a loop that has not begun. Throws `USAGE` for an unknown field or a value of the wrong type: nothing is written then. */
export function newContinuation(asked: NewContinuation): string {
  const fields = readAsked(asked);
  const promise = fields.completion_promise ?? fields.completionPromise;
  if (promise === undefined) throw refusal('completion_promise is missing');
  const goal = (fields.goal ?? fields.body ?? '').trim();
  return [
    '---',
    `iteration_count: ${fields.iteration_count ?? descriptor.counting.start}`,
    `max_iterations: ${fields.max_iterations ?? fields.maxIterations ?? descriptor.maxIterationsDefault}`,
    // All JSON is valid YAML.
    `completion_promise: ${JSON.stringify(promise)}`,
    `active: ${fields.active ?? true}`,
    '---',
    '',
    goal === '' ? '' : `${goal}\n`,
  ].join('\n');
}

/** A state file for the open items of a todo list; `undefined` = nothing is open. */
export function continuationFromTodos(
  todos: readonly Todo[],
  asked: Partial<Omit<NewContinuation, 'goal' | 'body'>> = {},
): string | undefined {
  const { goal } = loopFromTodos(todos);
  if (goal === '') return undefined;
  const { completion_promise, completionPromise = completion_promise ?? 'All TODOs complete', ...rest } = asked;
  return newContinuation({ ...rest, goal, completionPromise });
}

function readAsked(asked: unknown): z.infer<typeof askedSchema> {
  const parsed = askedSchema.safeParse(asked);
  if (!parsed.success) throw refusal(faultIn(parsed.error.issues[0]));
  for (const [name, other] of TWO_NAMES)
    if (parsed.data[name] !== undefined && parsed.data[other] !== undefined)
      throw refusal(`${name} and ${other} are two names of one field`);
  return parsed.data;
}

function faultIn(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `it has no field ${issue.keys.join(', ')}`;
  const [name] = issue?.path ?? [];
  return name === undefined ? 'the fields are not an object' : `${String(name)} is not of its kind`;
}

function refusal(why: string): Fault {
  return new Fault(
    'USAGE',
    `Cannot write a continuation loop: ${why}. Its fields are completion_promise (text), max_iterations and iteration_count (whole numbers), active (true or false) and goal (text).`,
  );
}

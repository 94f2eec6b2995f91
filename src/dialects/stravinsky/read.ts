import * as z from 'zod/mini';
import type { ClaimRule } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { countedFromAny, turnsAllowed } from '../counting.ts';
import type { FrontMatter } from '../front-matter.ts';
import { frontMatterFault, lineOfField, readFrontMatter } from '../front-matter.ts';
import { topicOf } from '../topic.ts';
import { descriptor } from './descriptor.ts';
import { CONTINUATION_PROMPT } from './words.ts';

export function read(text: string): FileReading {
  const state = parseState(text);
  if (state === undefined) return { kind: 'invalid', why: faultIn(text) };
  const counted = countedFromAny(state.iteration_count, descriptor.counting);
  const goal = state.body.trim() === '' ? state.completion_promise : state.body.trim();
  return {
    kind: 'loop',
    active: state.active,
    session: null,
    goal,
    identity: { goal: topicOf(goal) },
    claim: claimOf(state.completion_promise),
    criteria: [],
    counted,
    iterationsMax: turnsAllowed(state.max_iterations, descriptor.counting),
    continuation: CONTINUATION_PROMPT,
  };
}

/** The fields of the state file under the document's own names, with its defaults for missing ones. */
export type ContinuationState = {
  readonly iteration_count: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  readonly active: boolean;
  /** The text below the front matter, byte for byte. */
  readonly body: string;
};

/** `undefined` = the document ignores such a file. A missing field gets its safe value; a field that is present but not a number is not guessed. */
export function parseState(text: string): ContinuationState | undefined {
  const matter = readFrontMatter(text);
  const fields = Fields.safeParse(matter?.fields);
  if (matter === undefined || !fields.success) return undefined;
  const { iteration_count, max_iterations, active } = fields.data;
  return {
    iteration_count: iteration_count ?? descriptor.counting.start,
    max_iterations: max_iterations ?? descriptor.maxIterationsDefault,
    completion_promise: promiseIn(matter),
    active: active ?? false,
    body: matter.body,
  };
}

/** Names the line, because the file is written by hand. */
export function faultIn(text: string): string {
  const fault = frontMatterFault(text);
  if (fault !== null) return fault;
  const { fields = {}, sources = {} } = readFrontMatter(text) ?? {};
  const field = ['iteration_count', 'max_iterations'].find((key) => !Whole.safeParse(fields[key]).success);
  if (field === undefined) {
    if (Switch.safeParse(fields['active']).success) return 'it is not a state file';
    return `line ${lineOfField(text, 'active') ?? 2}: active is "${sources['active'] ?? ''}", but must be true or false`;
  }
  return `line ${lineOfField(text, field) ?? 2}: ${field} is "${sources[field] ?? ''}", but must be a whole number`;
}

const Digits = z.pipe(z.string().check(z.regex(/^\s*[+-]?\d+\s*$/u)), z.transform(Number));
const Whole = z.nullish(z.pipe(z.union([z.number(), Digits]), z.int()));
const Word = z.pipe(
  z.string().check(z.regex(/^\s*(?:true|false)\s*$/iu)),
  z.transform((word) => word.trim().toLowerCase() === 'true'),
);
/** Other words for true, such as `yes`, are text in YAML 1.2, and their meaning is not guessed. */
const Switch = z.nullish(z.union([z.boolean(), Word]));
const Fields = z.object({ iteration_count: Whole, max_iterations: Whole, active: Switch });

/** The source text if it is not a YAML string: `1.0` must not become a promise that every "1" fulfils. */
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

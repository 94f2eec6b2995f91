import { isRecord } from '../../core/is-record.ts';
import * as z from 'zod/mini';
import { headWithin } from '../../core/quoting.ts';
import { jsonFault, readJson, setValues, withoutAbsent } from '../json-file.ts';

/** The relevant fields of `.loop/state.json`. The first eight keys are the document's; the others come from its task metadata. */
export type LoopState = {
  readonly spec: string;
  readonly criteria: readonly string[];
  readonly criteriaStatus: Readonly<Record<string, boolean>>;
  readonly steps: readonly string[];
  readonly completedSteps: readonly string[];
  readonly remainingSteps: readonly string[];
  readonly iteration: number;
  readonly status: string;
  readonly errors?: readonly LoopError[];
} & LoopFigures;

/** Figures that a loop may not know. `cost` is left out until it is known: unknown is not 0. */
export type LoopFigures = {
  readonly cost?: number;
  readonly shape?: LoopShape;
  readonly budget?: number;
  readonly maxIterations?: number;
  readonly startedAt?: string;
  readonly lastCheckpoint?: string;
};

export function figuresOf(of: { readonly [K in keyof LoopFigures]: LoopFigures[K] | undefined }): LoopFigures {
  const { cost, shape, budget, maxIterations, startedAt, lastCheckpoint } = of;
  return withoutAbsent({ cost, shape, budget, maxIterations, startedAt, lastCheckpoint });
}

/** `tool`: runs by itself. `colleague`: talks to the user in between. */
export type LoopShape = 'tool' | 'colleague';

export type ErrorClass = 'transient' | 'logic' | 'blocking' | 'unknown';

export type LoopError = {
  readonly class: ErrorClass;
  readonly step: string;
  readonly message: string;
  readonly at: string;
};

export const IN_PROGRESS = 'in_progress';
export const COMPLETED = 'completed';

/** Status words that can only mean one of the document's; those in `OFF_WORDS` end the loop. */
const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ...['in_progress', 'inprogress', 'pending', 'running', 'active', 'started', 'open'].map(
    (word) => [word, IN_PROGRESS] as const,
  ),
  ...['completed', 'complete', 'done', 'finished'].map((word) => [word, COMPLETED] as const),
]);
const OFF_WORDS: ReadonlySet<string> = new Set([
  'stopped',
  'halted',
  'cancelled',
  'canceled',
  'paused',
  'aborted',
  'abandoned',
  'failed',
  'blocked',
  'off',
]);

type Found = { readonly kind: 'state'; readonly state: LoopState } | { readonly kind: 'invalid'; readonly why: string };

// `z.catch` supplies a fallback value; the linter mistakes it for the `catch` of promises.
/* oxlint-disable promise/valid-params */

/** Agents and people write these files, so an unambiguous value is corrected before the schema sees it. */
function readAs<S extends z.ZodMiniType>(meant: (value: unknown) => unknown, schema: S) {
  return z.pipe(z.transform(meant), schema);
}

const NUMBER = /^\s*\$?(\d{1,15}(?:\.\d{1,15})?)\s*$/u;

function numberIn(value: unknown): unknown {
  const [, digits] = typeof value === 'string' ? (NUMBER.exec(value) ?? []) : [];
  if (digits !== undefined) return Number(digits);
  return value ?? undefined;
}

function textIn(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function textsIn(value: unknown): unknown {
  if (value === null) return [];
  return Array.isArray(value) ? value.map(textIn) : typeof value === 'string' ? [value] : value;
}

/** A criterion that nobody has checked is not met. */
function truthIn(value: unknown): unknown {
  if (value === null) return false;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' || word === 'false' ? word === 'true' : value;
}

function statusIn(value: unknown): unknown {
  if (value === undefined || value === null) return IN_PROGRESS;
  if (typeof value !== 'string') return value;
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
  return STATUS_WORDS.get(word) ?? (OFF_WORDS.has(word) ? value : undefined);
}

const count = readAs(numberIn, z.optional(z.int().check(z.minimum(0))));
const amount = readAs(numberIn, z.optional(z.number().check(z.minimum(0))));
const texts = readAs(textsIn, z.array(z.string()));
const lenientTexts = z.catch(texts, []);

/** The document does not define the shape of an error: any value is kept as a message. */
export const errorSchema: z.ZodMiniType<LoopError> = z.union([
  z.object({
    class: z.catch(z.enum(['transient', 'logic', 'blocking', 'unknown']), 'unknown'),
    step: z.catch(z.string(), ''),
    message: z.string(),
    at: z.catch(z.string(), ''),
  }),
  z.pipe(
    z.unknown(),
    z.transform((value): LoopError => ({ class: 'unknown', step: '', message: messageOf(value), at: '' })),
  ),
]);

/** Strict about what ends a loop (criteria, counter, limits, status), because a loop must not begin without a known end; lenient about the rest. */
const stateSchema = z.object({
  spec: z.catch(readAs(textIn, z.string()), ''),
  criteria: z._default(z.optional(texts), []),
  criteriaStatus: z.record(z.string(), readAs(truthIn, z.boolean())),
  steps: lenientTexts,
  completedSteps: lenientTexts,
  remainingSteps: lenientTexts,
  iteration: count,
  status: readAs(statusIn, z.string()),
  cost: amount,
  budget: amount,
  maxIterations: count,
  shape: z.catch(z.optional(z.enum(['tool', 'colleague'])), undefined),
  startedAt: z.catch(z.optional(z.string()), undefined),
  lastCheckpoint: z.catch(z.optional(z.string()), undefined),
  errors: z.catch(z.optional(z.array(errorSchema)), undefined),
});

/** What a strict field must contain, for a user who wrote something else. */
const WANTED: Readonly<Record<string, string>> = {
  criteria: 'be a list of strings',
  criteriaStatus: 'have true or false for each criterion',
  iteration: 'be a whole number from 0',
  maxIterations: 'be a whole number from 0',
  cost: 'be a number from 0',
  budget: 'be a number from 0',
  status: `be "${IN_PROGRESS}", "${COMPLETED}", or "stopped" to end the loop`,
};

const VALUE_BYTES_MAX = 120;

/** Never throws. */
export function readLoopState(text: string): Found {
  const value = readJson(text);
  if (!isRecord(value)) return { kind: 'invalid', why: jsonFault(text) };
  const figures = figuresInMetadata(value);
  const parsed = stateSchema.safeParse({ ...value, ...figures });
  if (parsed.success) {
    const { iteration = 1, ...rest } = parsed.data;
    return { kind: 'state', state: withoutAbsent({ ...rest, iteration }) };
  }
  const field = String(parsed.error.issues[0]?.path[0] ?? 'it');
  const [name, found] = Object.hasOwn(figures, field) ? [`metadata.${field}`, figures[field]] : [field, value[field]];
  return { kind: 'invalid', why: `${name} is ${shown(found)}, but must ${WANTED[field] ?? 'be readable'}` };
}

/** The document's State Schema puts these in `metadata`. The top level takes precedence, even if it is `null`. */
const IN_METADATA: readonly string[] = ['maxIterations', 'budget', 'cost'];

function figuresInMetadata(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = value;
  if (!isRecord(metadata)) return {};
  const names = IN_METADATA.filter((name) => !Object.hasOwn(value, name) && Object.hasOwn(metadata, name));
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : headWithin(messageOf(JSON.stringify(value)), VALUE_BYTES_MAX);
}

function messageOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Sums of prices are not exact: differences below a millionth are ignored. */
export const COST_PARTS = 1e6;

export function roundedCost(amountUsd: number): number {
  return Math.round(amountUsd * COST_PARTS) / COST_PARTS;
}

/** Every criterion that has to be met: those listed, and those that only have a status. */
export function criteriaOf({ criteria, criteriaStatus }: LoopState): readonly string[] {
  return [...new Set([...criteria, ...Object.keys(criteriaStatus)])];
}

export function isMet({ criteriaStatus }: LoopState, criterion: string): boolean {
  return Object.hasOwn(criteriaStatus, criterion) && criteriaStatus[criterion] === true;
}

/** `remainingSteps[0]`; if there is none, what remains to be done about the criteria. */
export function nextOf(state: LoopState): string {
  const [step] = state.remainingSteps;
  if (step !== undefined) return step;
  const open = criteriaOf(state).filter((criterion) => !isMet(state, criterion));
  return open.length > 0 ? `meet the open criteria: ${open.join(', ')}` : FINISH;
}

export const FINISH = 'verify every criterion once more, then output <loop-complete>';

/** `null`: the file sets no budget. */
type NoBudget = { readonly budget: number | null };

/** The text with some fields set; a field that already has its value is left exactly as written. */
export function setLoopState(text: string, changes: Partial<Omit<LoopState, 'budget'> & NoBudget>): string {
  const value = readJson(text);
  const before = isRecord(value) ? value : {};
  const figures = figuresInMetadata(before);
  return setValues(
    text,
    Object.entries(changes)
      .filter(([key, wanted]) => JSON.stringify(figures[key] ?? before[key]) !== JSON.stringify(wanted))
      .map(([key, wanted]) => ({ path: Object.hasOwn(figures, key) ? ['metadata', key] : [key], value: wanted })),
  );
}

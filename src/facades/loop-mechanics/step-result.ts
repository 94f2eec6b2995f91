import { isRecord } from '../../core/is-record.ts';
import { headWithin } from '../../core/quoting.ts';
import type { ErrorClass } from '../../dialects/loop-mechanics/state.ts';
import { failedBy } from './thrown-error.ts';

/** The result of a step. `criteria`: those that were verified with it, true or false. `cost`: of this step, in US dollars. */
export type StepResult = {
  readonly criteria?: Readonly<Record<string, boolean>>;
  readonly cost?: number;
  /** The agent's last message. */
  readonly message?: string;
} & (
  | { readonly ok: true }
  | { readonly ok: false; readonly error: { readonly class?: ErrorClass; readonly message: string } }
);

type StepError = (StepResult & { readonly ok: false })['error'];

const VALUE_BYTES_MAX = 400;
const HAS_TO = 'it must return { ok: true } or { ok: false, error }';
const CLASSES: ReadonlySet<unknown> = new Set<ErrorClass>(['transient', 'logic', 'blocking', 'unknown']);

/** The type that each part of a result must have, if present; `null` counts as absent. */
const PARTS: Readonly<Record<'criteria' | 'cost' | 'message', readonly [(value: unknown) => boolean, string]>> = {
  criteria: [isTruths, 'it must have true or false for each criterion'],
  cost: [isAmount, 'it must be a number of US dollars, from 0'],
  message: [(value) => typeof value === 'string', 'it must be a string'],
};

/**
 * The result of a step, even from an untyped program. Nothing in a malformed result is trusted: it counts as an unknown failure, so the loop
 * pauses and keeps its state. Never throws.
 */
export function resultFrom(returned: unknown): StepResult {
  if (returned instanceof Promise) {
    // Nobody waits for it: its failure must not end the process.
    returned.catch(() => undefined);
    return malformed('the step returned a promise, so its result is not known: use iterateAsync for async steps');
  }
  if (!isRecord(returned) || typeof returned['ok'] !== 'boolean')
    return malformed(`the step returned ${shown(returned)}: ${HAS_TO}`);
  const { ok, error, criteria, cost, message } = returned;
  for (const [name, [fits, wanted]] of Object.entries(PARTS)) {
    const value = returned[name] ?? undefined;
    if (value !== undefined && !fits(value))
      return malformed(`the step returned the ${name} ${shown(value)}: ${wanted}`);
  }
  const result = {
    ...(isTruths(criteria) ? { criteria } : {}),
    ...(isAmount(cost) ? { cost } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
  return ok ? { ...result, ok: true } : { ...result, ok: false, error: errorFrom(error) };
}

/** A criterion that the loop does not have is probably mistyped: ticking it would leave the real one open. */
export function withKnownCriteria(result: StepResult, known: readonly string[]): StepResult {
  const unknown = Object.keys(result.criteria ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return result;
  return malformed(`the step returned the criterion ${shown(unknown)}: the loop has ${known.map(shown).join(', ')}`);
}

function isTruths(value: unknown): value is Readonly<Record<string, boolean>> {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'boolean');
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function errorFrom(error: unknown): StepError {
  if (error === undefined || error === null) return { message: 'the step failed, and gave no error' };
  if (error instanceof Error || typeof error === 'string') return failedBy(error).error;
  if (!isRecord(error) || typeof error['message'] !== 'string') return { message: shown(error) };
  const { class: named, message } = error;
  return isErrorClass(named) ? { class: named, message } : { message };
}

function isErrorClass(value: unknown): value is ErrorClass {
  return CLASSES.has(value);
}

function malformed(message: string): StepResult {
  return { ok: false, error: { class: 'unknown', message } };
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return headWithin(typeof value === 'number' ? String(value) : inspect(value), VALUE_BYTES_MAX);
}

/** A circular value or a bigint is not JSON. */
function inspect(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch (error) {
    return error instanceof Error ? error.message : typeof value;
  }
}

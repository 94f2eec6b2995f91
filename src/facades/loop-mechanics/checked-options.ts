import { Fault } from '../../core/fault.ts';
import { ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import { headWithin } from '../../core/quoting.ts';

const VALUE_BYTES_MAX = 200;

/** For each option of `start` and `resume`: a test for its values, and a description of them. */
const OPTIONS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  maxIterations: [isIterations, `a whole number from 1 to ${ITERATIONS_MAX_CEILING}`],
  budget: [isBudget, 'a number of US dollars, from 0'],
  criteria: [isTexts, 'a list of strings'],
  steps: [isTexts, 'a list of strings'],
  shape: [(value) => value === 'tool' || value === 'colleague', '"tool" or "colleague"'],
};

/** Called before anything is written: a wrong number in the file would let the agent stop. Throws `USAGE`. */
export function requireOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new Fault('USAGE', `Cannot use the option ${shown(unknown)}: there are ${Object.keys(OPTIONS).join(', ')}.`);
  for (const [name, [fits, wanted]] of Object.entries(OPTIONS)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !fits(value))
      throw new Fault('USAGE', `Cannot use ${shown(value)} for ${name}: it must be ${wanted}.`);
  }
}

/** Throws `USAGE`. */
export function requireSpec(spec: unknown): void {
  if (!isText(spec))
    throw new Fault('USAGE', `Cannot start a loop for ${shown(spec)}: it must be a string that says what to do.`);
}

function isIterations(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= ITERATIONS_MAX_CEILING;
}

function isBudget(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function shown(value: unknown): string {
  return headWithin(
    typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : String(value),
    VALUE_BYTES_MAX,
  );
}

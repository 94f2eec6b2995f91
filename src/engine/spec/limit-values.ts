import { Fault } from '../../core/fault.ts';
import type { Limits } from '../../core/loop.ts';
import { ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import { oneLine } from '../../views/printable.ts';

const GIVEN_CHARS_MAX = 60;

/** The highest value of each limit. The lowest is 1; for a cost, any amount above 0. */
export const LIMIT_CEILINGS: Readonly<Record<keyof Limits, number>> = {
  iterationsMax: ITERATIONS_MAX_CEILING,
  durationMaxMs: 365 * 24 * 60 * 60 * 1000,
  costMaxUsd: 1_000_000,
  tokensMax: 1_000_000_000_000,
  faultsInRowMax: 1000,
  noProgressMax: 1000,
};

/** Checks numbers from a program, which no compiler has checked if it is JavaScript. `nameOf`: the program's name for a limit. Throws `USAGE`. */
export function requireLimits(limits: Partial<Limits>, nameOf: (limit: keyof Limits) => string): Partial<Limits> {
  // `Object.keys` loses the literal types of the table's names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  for (const key of Object.keys(LIMIT_CEILINGS) as (keyof Limits)[]) {
    const given: unknown = limits[key];
    if (given === undefined || given === 'unlimited' || isWithin(given, key)) continue;
    throw refusedValue(shown(given), nameOf(key), `${wanted(key)}, or "unlimited"`);
  }
  return limits;
}

/** `least`: 0 if zero is valid too. Throws `USAGE`. */
export function requireMilliseconds(given: unknown, name: string, least: 0 | 1 = 1): number {
  const most = LIMIT_CEILINGS.durationMaxMs;
  if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most) return given;
  throw refusedValue(shown(given), name, `milliseconds, a whole number from ${least} to ${most}`);
}

export function refusedValue(given: string, name: string, takes: string): Fault {
  return new Fault('USAGE', `Cannot use "${oneLine(given, GIVEN_CHARS_MAX)}" for ${name}: it takes ${takes}.`);
}

function shown(given: unknown): string {
  return typeof given === 'string' || typeof given === 'number' ? String(given) : typeof given;
}

function isWithin(given: unknown, key: keyof Limits): boolean {
  if (typeof given !== 'number' || !(given > 0) || given > LIMIT_CEILINGS[key]) return false;
  return key === 'costMaxUsd' || Number.isInteger(given);
}

function wanted(key: keyof Limits): string {
  const most = LIMIT_CEILINGS[key];
  if (key === 'costMaxUsd') return `US dollars above 0 and up to ${most}`;
  return `${key === 'durationMaxMs' ? 'milliseconds, ' : ''}a whole number from 1 to ${most}`;
}

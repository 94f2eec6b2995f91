import type { Limit } from '../core/loop.ts';
import { ITERATIONS_MAX_CEILING } from '../core/loop.ts';

/**
 * How a document counts. Its counter shows `start` until the first turn ends; a stop compares it with the maximum, before or after
 * adding one. This determines how many turns a maximum allows, counted our way.
 */
export type Counting = { readonly start: number; readonly addsFirst: boolean };

/** Files are edited by hand: whatever numbers they contain, our count is a whole number that can be incremented. */
const COUNT_MAX = Number.MAX_SAFE_INTEGER - 1;

/** Below 1 for a maximum that is used up before the first turn: the stop after that turn ends the loop. */
export function turnsAllowed(maximum: number, counting: Counting): number {
  return Math.min(COUNT_MAX, Math.max(-COUNT_MAX, turnsFor(Math.ceil(maximum), counting)));
}

export function countedFrom(counter: number, { start }: Counting): number {
  return Math.min(COUNT_MAX, Math.max(0, Math.floor(counter) - start));
}

export function counterFor(counted: number, { start }: Counting): number {
  return counted + start;
}

/** For a document that counts from any number in its file: below 0 = before its first iteration. */
export function countedFromAny(counter: number, { start }: Counting): number {
  return Math.min(COUNT_MAX, Math.max(-COUNT_MAX, Math.floor(counter) - start));
}

/** The maximum that allows this many turns: the inverse of `turnsAllowed`. */
export function maximumFor(turns: number, { start, addsFirst }: Counting): number {
  return turns + start - (addsFirst ? 0 : 1);
}

/** The turns for which `maximumFor` gives this maximum. */
export function turnsFor(maximum: number, { start, addsFirst }: Counting): number {
  return maximum - start + (addsFirst ? 0 : 1);
}

/** A limit for a file that can only hold numbers. */
export function numberOfLimit(limit: Limit): number {
  return limit === 'unlimited' ? ITERATIONS_MAX_CEILING : limit;
}

/** The maximum that a resume writes into the front matter, if the user raised it. */
export function resumedMaximum(raised: Limit | undefined, counting: Counting): { readonly max_iterations?: number } {
  return raised === undefined ? {} : { max_iterations: maximumFor(numberOfLimit(raised), counting) };
}

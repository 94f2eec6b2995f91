import type { Limit } from '../core/loop.ts';
import { ITERATIONS_MAX_CEILING } from '../core/loop.ts';

/**
 * How a document counts. Its counter shows `start` before the first turn ends; a stop compares it with the maximum, before or after
 * adding one. From that follows how many turns a maximum allows, in our way of counting.
 */
export type Counting = { readonly start: number; readonly addsFirst: boolean };

/** Files are edited by hand: whatever numbers stand there, a count of ours is whole, and one more can be added to it. */
const COUNT_MAX = Number.MAX_SAFE_INTEGER - 1;

export function turnsAllowed(maximum: number, { start, addsFirst }: Counting): number {
  return Math.min(COUNT_MAX, Math.max(1, Math.ceil(maximum) - start + (addsFirst ? 0 : 1)));
}

export function countedFrom(counter: number, { start }: Counting): number {
  return Math.min(COUNT_MAX, Math.max(0, Math.floor(counter) - start));
}

export function counterFor(counted: number, { start }: Counting): number {
  return counted + start;
}

/** The same for a document that counts from whatever number stands in its file: below 0 = before its first iteration. */
export function countedFromAny(counter: number, { start }: Counting): number {
  return Math.min(COUNT_MAX, Math.max(-COUNT_MAX, Math.floor(counter) - start));
}

/** The maximum that allows so many turns: the other way round than `turnsAllowed`. */
export function maximumFor(turns: number, { start, addsFirst }: Counting): number {
  return Math.max(0, turns + start - (addsFirst ? 0 : 1));
}

/** The turns for which `maximumFor` gives this maximum, also where it allows fewer than one. */
export function turnsFor(maximum: number, { start, addsFirst }: Counting): number {
  return maximum - start + (addsFirst ? 0 : 1);
}

/** A limit for a file that has only numbers. */
export function numberOfLimit(limit: Limit): number {
  return limit === 'unlimited' ? ITERATIONS_MAX_CEILING : limit;
}

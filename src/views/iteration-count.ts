import type { Limit, Spec, State } from '../core/loop.ts';
import { iterationOf } from '../core/loop.ts';
import type { Counting } from '../dialects/counting.ts';
import { counterFor, maximumFor, turnsAllowed } from '../dialects/counting.ts';
import { isDialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';

/** The dialect that a loop lives in; `undefined` = a loop of tireless itself. */
export type DialectOfLoop = Spec['dialect'];

/** The iteration in progress or the last one, and how many are allowed. */
export type IterationCount = { readonly iteration: number; readonly max: Limit };

type CountedLoop = { readonly spec: Pick<Spec, 'dialect'>; readonly state: State };

/**
 * The progress of a loop, in the numbers that people see. A loop in a state file counts as its document does, so that the file shows the
 * same numbers.
 */
export function iterationCountOf({ spec: { dialect }, state }: CountedLoop): IterationCount {
  return { iteration: currentIteration(dialect, state), max: shownMaximum(state.limits.iterationsMax, dialect) };
}

/** `3 of 20`, or `3` without a limit. */
export function countText({ iteration, max }: IterationCount): string {
  return max === 'unlimited' ? String(iteration) : `${iteration} of ${max}`;
}

function currentIteration(dialect: DialectOfLoop, state: State): number {
  const counting = countingOf(dialect);
  const { outcome, file } = state;
  if (counting === null) return iterationOf(state);
  if (outcome?.kind === 'halted' && outcome.guard === 'iterations-max' && outcome.actual !== null)
    return shownUsed(outcome.actual, dialect);
  // From the text that was written last. A document that removes its file at the end leaves no such text.
  if (file?.counted !== undefined) return counterFor(file.counted, counting) - before(dialect);
  // No turn ended the loop, so the file showed what was counted until it was removed.
  if (outcome?.kind === 'cancelled') return counterFor(state.counted, counting) - before(dialect);
  return shownIteration(iterationOf(state), dialect);
}

/** The numbers that people see for a running loop. */
export function shownCount({ iteration, max }: IterationCount, dialect: DialectOfLoop): IterationCount {
  return { iteration: shownIteration(iteration, dialect), max: shownMaximum(max, dialect) };
}

/** An iteration while it is in progress. */
export function shownIteration(iteration: number, dialect: DialectOfLoop): number {
  const counting = countingOf(dialect);
  return counting === null ? iteration : counterFor(Math.max(0, iteration - 1), counting) - before(dialect);
}

/** Used turns, shown next to the maximum that they reached. */
export function shownUsed(turns: number, dialect: DialectOfLoop): number {
  const counting = countingOf(dialect);
  return counting === null ? turns : maximumFor(turns - before(dialect), counting);
}

export function shownMaximum(limit: Limit, dialect: DialectOfLoop): Limit {
  return limit === 'unlimited' ? limit : shownUsed(limit, dialect);
}

/** The reverse: the limit for a maximum that a person typed for this loop. */
export function limitForMaximum(maximum: Limit, dialect: DialectOfLoop): Limit {
  const counting = countingOf(dialect);
  return counting === null || maximum === 'unlimited' ? maximum : turnsAllowed(maximum, counting) + before(dialect);
}

/** A file whose counter began below 1. */
function before(dialect: DialectOfLoop): number {
  return dialect?.turnsBefore ?? 0;
}

/** `null` = as tireless counts; also for a dialect that this version does not know. */
function countingOf(dialect: DialectOfLoop): Counting | null {
  return dialect !== undefined && isDialectName(dialect.name) ? DIALECTS[dialect.name].counting : null;
}

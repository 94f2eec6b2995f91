import type { DayTurns, Usage } from './evidence.ts';
import type { Guard, Limit, Limits } from './loop.ts';
import { limitValue } from './loop.ts';
import type { ProgressState } from './progress.ts';
import { isStalled } from './progress.ts';

/** What the loop will have used once the decision at hand is counted. */
export type Spending = {
  readonly counted: number;
  readonly runningMs: number;
  readonly usage: Usage;
  readonly faultsInRow: number;
  readonly progress: ProgressState;
};

export type GuardHit = { readonly guard: Guard; readonly limit: number; readonly actual: number };

/**
 * The first limit that is used up, hard limits first. `>=`, not `===`: a hand-edited file may already be past it.
 */
export function guardHit(limits: Limits, spent: Spending): GuardHit | null {
  return (
    reached('iterations-max', limits.iterationsMax, spent.counted) ??
    reached('duration-max', limits.durationMaxMs, spent.runningMs) ??
    reached('cost-max', limits.costMaxUsd, spent.usage.costUsd) ??
    reached('tokens-max', limits.tokensMax, spent.usage.tokens) ??
    reached('faults-in-row', limits.faultsInRowMax, spent.faultsInRow) ??
    stalled(limits.noProgressMax, spent.progress)
  );
}

/**
 * How many turns the loops in the state files of one project may take in one day. A new file is a new loop with its own maximum, so
 * otherwise an agent that keeps writing new files would never end. Generous: one turn a minute for almost 17 hours.
 */
export const DAY_TURNS_MAX = 1000;

/** `>=`: the turn that just ended is already counted. */
export function dayHit(day: DayTurns | undefined): GuardHit | null {
  return day === undefined ? null : reached('day-max', day.max, day.turns);
}

/** A limit on something the host does not report cannot be enforced. */
export function limitsBlind(limits: Limits, usage: Usage): boolean {
  return (
    (limitValue(limits.costMaxUsd) < Infinity && usage.costUsd === 'unknown') ||
    (limitValue(limits.tokensMax) < Infinity && usage.tokens === 'unknown')
  );
}

export function addUsage(total: Usage, turn: Usage): Usage {
  return { costUsd: addKnown(total.costUsd, turn.costUsd), tokens: addKnown(total.tokens, turn.tokens) };
}

function addKnown(total: number | 'unknown', turn: number | 'unknown'): number | 'unknown' {
  return total === 'unknown' || turn === 'unknown' ? 'unknown' : total + turn;
}

function reached(guard: Guard, limit: Limit, actual: number | 'unknown'): GuardHit | null {
  const value = limitValue(limit);
  return actual !== 'unknown' && actual >= value ? { guard, limit: value, actual } : null;
}

function stalled(limit: Limit, progress: ProgressState): GuardHit | null {
  if (!isStalled(progress, limit)) return null;
  return { guard: 'no-progress', limit: limitValue(limit), actual: progress.stalledHalves / 2 };
}

import type { Decision, Unmet } from './decision.ts';
import type { ClockReading } from './evidence.ts';
import type { GuardHit, Spending } from './guards.ts';
import { guardHit } from './guards.ts';
import type { State } from './loop.ts';
import { limitValue } from './loop.ts';
import { strategyFor } from './progress.ts';
import { runningMsAt } from './running-time.ts';

/** `until`: see `countedUntil`. */
export function spentNow(state: State, until: ClockReading): Spending {
  const { counted, usage, faultsInRow, progress } = state;
  return { counted, usage, faultsInRow, progress, runningMs: runningMsAt(state, until) };
}

/** The host has reported that the open turn failed, so the return of the session is not a second fault. */
export function isFailureKnown({ plan, lastTrouble }: State): boolean {
  return plan.rerun && lastTrouble?.code !== 'session-lost';
}

type Continuation = {
  readonly unmet: readonly Unmet[];
  readonly delayMs: number;
  readonly rerun: boolean;
  readonly spent: Spending;
};

/** Uses the limits in `state`, so that the caller can pass in a raised one. */
export function continuing(state: State, next: Continuation): Decision & { kind: 'continue' } {
  const iteration = next.spent.counted + 1;
  const { iterationsMax, noProgressMax } = state.limits;
  return {
    kind: 'continue',
    iteration,
    strategy: strategyFor(next.spent.progress, noProgressMax),
    last: iteration >= limitValue(iterationsMax),
    delayMs: next.delayMs,
    rerun: next.rerun,
    unmet: next.unmet,
  };
}

export function halting(hit: GuardHit, unmet: readonly Unmet[]): Decision {
  return { kind: 'halt', ...hit, unmet };
}

/** The turn did not complete: it counts as a fault, and the iteration runs again under its own number if the limits allow. */
export function interrupted(state: State, until: ClockReading, delayMs: number): Decision {
  const spent = { ...spentNow(state, until), faultsInRow: state.faultsInRow + 1 };
  const hit = guardHit(state.limits, spent);
  const { unmet } = state.plan;
  return hit === null ? continuing(state, { unmet, delayMs, rerun: true, spent }) : halting(hit, unmet);
}

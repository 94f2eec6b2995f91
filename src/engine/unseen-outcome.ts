import type { Decision } from '../core/decision.ts';
import type { State } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** A pause or an end that nobody saw when it happened, as the original decision; `null` = there is none. */
export function unseenOutcome(state: State): Decision | null {
  const { unseen, pause } = state;
  if (unseen !== true) return null;
  return pause === null ? endOf(state) : { ...pause, kind: 'pause' };
}

/** How a loop ended, as the original decision; `null` = it has not ended. The proofs are in the journal. */
export function endOf({ outcome, plan }: State): Decision | null {
  switch (outcome?.kind) {
    case 'completed': {
      const { flaky: _, ...rest } = outcome;
      return { ...rest, kind: 'complete', proofs: [] };
    }
    case 'halted':
      return { ...outcome, kind: 'halt', unmet: plan.unmet };
    case 'cancelled':
      return { ...outcome, kind: 'cancel' };
    case undefined:
      return null;
  }
}

/** Committed before the reply that shows it, so it is shown at most once. */
export function* markOutcomeShown(found: Loaded): Pipeline<Loaded> {
  return (yield* handleEvent(found, { kind: 'outcome-shown' })).loaded ?? found;
}

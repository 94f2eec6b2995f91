import type { Decision } from '../core/decision.ts';
import type { State } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** A pause or an end that nobody showed when it happened, as the decision that it was; `null` = there is none. */
export function unseenOutcome({ unseen, pause, outcome, plan }: State): Decision | null {
  if (unseen !== true) return null;
  if (pause !== null) return { ...pause, kind: 'pause' };
  return outcome?.kind === 'halted' ? { ...outcome, kind: 'halt', unmet: plan.unmet } : null;
}

/** Committed before the reply that shows it: it is shown once at most. */
export function* markOutcomeShown(found: Loaded): Pipeline<Loaded> {
  return (yield* handleEvent(found, { kind: 'outcome-shown' })).loaded ?? found;
}

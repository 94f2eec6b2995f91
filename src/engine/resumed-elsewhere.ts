import type { Decision } from '../core/decision.ts';
import type { State } from '../core/loop.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { Loaded } from './ports.ts';

/** Someone continued the loop in another way (`tireless approve`, `tireless resume`) while its agent was not there to be told. */
export function resumedElsewhere(running: Loaded): DialectHandled {
  // Its prompt was not delivered: it carries what the user has said meanwhile.
  const loaded: Loaded = { ...running, state: { ...running.state, phase: 'ready' } };
  return { decision: plannedDecision(loaded.state), loaded, reading: null };
}

/** The decision that led to the iteration at hand, as far as the plan of the loop keeps it. */
export function plannedDecision({ counted, plan }: State): Decision & { readonly kind: 'continue' } {
  const { strategy, last, rerun, unmet } = plan;
  return { kind: 'continue', iteration: counted + 1, strategy, last, rerun, unmet, delayMs: 0 };
}

import type { Decision } from '../core/decision.ts';
import type { State } from '../core/loop.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { Loaded } from './ports.ts';

/** The loop was continued by a command (`tireless approve`, `tireless resume`) while its agent was away. */
export function resumedElsewhere(running: Loaded): DialectHandled {
  // Its prompt was not delivered, so it carries the user's messages since then.
  const loaded: Loaded = { ...running, state: { ...running.state, phase: 'ready' } };
  return { decision: plannedDecision(loaded.state), loaded, reading: null };
}

/** The decision that led to the current iteration, as far as the loop's plan records it. */
export function plannedDecision({ counted, plan }: State): Decision & { readonly kind: 'continue' } {
  const { strategy, last, rerun, unmet } = plan;
  return { kind: 'continue', iteration: counted + 1, strategy, last, rerun, unmet, delayMs: 0 };
}

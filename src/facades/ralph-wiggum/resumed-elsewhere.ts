import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { Loaded } from '../../engine/ports.ts';

/** Someone continued the loop in another way (`tireless approve`, `tireless resume`) while its agent was not there to be told. */
export function resumedElsewhere(running: Loaded): DialectHandled {
  // Its prompt was not delivered: it carries what the user has said meanwhile.
  const loaded: Loaded = { ...running, state: { ...running.state, phase: 'ready' } };
  const { strategy, last, rerun, unmet } = loaded.state.plan;
  const iteration = loaded.state.counted + 1;
  return { decision: { kind: 'continue', iteration, strategy, last, rerun, unmet, delayMs: 0 }, loaded, reading: null };
}

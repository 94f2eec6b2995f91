import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { Loaded } from '../../engine/ports.ts';

/** Someone continued the loop in another way (`tireless approve`, `tireless resume`), and its agent was not there to hear of it. */
export function resumedElsewhere(loaded: Loaded): DialectHandled {
  const { strategy, last, rerun, unmet } = loaded.state.plan;
  const iteration = loaded.state.counted + 1;
  return { decision: { kind: 'continue', iteration, strategy, last, rerun, unmet, delayMs: 0 }, loaded, reading: null };
}

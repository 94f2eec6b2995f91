import { Fault } from '../core/fault.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, StartRequest } from './ports.ts';

/** Makes the loop durable before anything is run for it. Its driver takes the baseline. */
export function* startLoop(request: StartRequest): Pipeline<Loaded> {
  const clock = yield* perform('readClock');
  const result = yield* perform('create', request.loop, {
    at: new Date(clock.wallMs).toISOString(),
    event: { kind: 'loop-started', ...request },
    evidence: { clock },
    decision: { kind: 'record' },
  });
  if (result.kind === 'committed') return result.loaded;
  throw new Fault(
    'STATE_CONFLICT',
    `A loop with the id ${request.loop} already exists. Start again: each start makes a new id.`,
  );
}

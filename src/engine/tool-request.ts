import type { LoopId } from '../core/loop.ts';
import { overdueMs, TIME_IS_UP } from '../core/overdue.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';

export type ToolAnswer = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string };

/**
 * Enforces the iteration timeout of a session before each tool call. Only the host can end a turn, but an agent without tools ends it by
 * itself, and that stop is decided as usual. Nothing is committed: this changes no loop. The caller knows whose session it is.
 * `timeoutMs` overrides the timeout of the spec.
 */
export function* handleToolRequest(loop: LoopId, timeoutMs?: number): Pipeline<ToolAnswer> {
  const loaded = yield* perform('load', loop);
  if (loaded === undefined) return { kind: 'allow' };
  const clock = yield* perform('readClock');
  const { spec, state } = loaded;
  const over = overdueMs(state, clock, timeoutMs ?? spec.timing.iterationTimeoutMs);
  return over === null ? { kind: 'allow' } : { kind: 'deny', reason: TIME_IS_UP };
}

import type { ClockReading } from '../core/evidence.ts';
import type { LoopId } from '../core/loop.ts';
import { overdueMs, TIME_IS_UP } from '../core/overdue.ts';
import { withoutDialogs } from '../core/running-time.ts';
import { waitsIn } from './gather.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { TurnReport } from './ports.ts';

export type ToolAnswer = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string };

/**
 * Enforces the iteration timeout of a session before each tool call. Only the host can end a turn, but an agent without tools ends it by
 * itself, and that stop is decided as usual. Commits nothing and changes no loop. The caller knows whose session it is. `timeoutMs`
 * overrides the timeout of the spec.
 */
export function* handleToolRequest(loop: LoopId, report: TurnReport, timeoutMs?: number): Pipeline<ToolAnswer> {
  const loaded = yield* perform('load', loop);
  if (loaded === undefined) return { kind: 'allow' };
  const clock = yield* perform('readClock');
  const { spec, state } = loaded;
  const isOverdueAt = (until: ClockReading): boolean =>
    overdueMs(state, until, timeoutMs ?? spec.timing.iterationTimeoutMs) !== null;
  // The dialogs of the turn are looked for only when they matter.
  const isOverdue =
    isOverdueAt(clock) && isOverdueAt(withoutDialogs(state, clock, { clock, ...waitsIn({ state, report }) }));
  return isOverdue ? { kind: 'deny', reason: TIME_IS_UP } : { kind: 'allow' };
}

import type { Logger } from './logger.ts';
import type { LoopState } from './loop-state.ts';

/** For foreign stores that do not count, counted here; beyond this many, the oldest are forgotten. */
const STAND_INS_MAX = 1000;

type Counter = { readonly readBlocks: () => number; readonly logger: Logger };

const counters = new WeakMap<LoopState, Counter>();
const standIns = new Map<string, number>();

export type Count = 'counted' | 'counted-here' | 'not-counted';

/** Connects a state to the manager that read it. `readBlocks` = how many blocks that manager has committed so far. */
export function attachCounter(state: LoopState, counter: Counter): LoopState {
  counters.set(state, counter);
  return state;
}

/** Was this state read by a manager of ours that logs here? Then that manager logs how the loop ends. */
export function logsEnding(state: LoopState, logger: Logger | undefined): boolean {
  const counter = counters.get(state);
  return counter !== undefined && (logger === undefined || counter.logger === logger);
}

/**
 * Call it before `updateLoopState`; the function it returns then tells whether that call counted. A manager's state is compared with the
 * commits of that manager, so that another process's count never counts as ours.
 */
export function watchCount(state: LoopState, readAgain: () => LoopState | null): () => Count {
  const readBlocks = counters.get(state)?.readBlocks;
  if (readBlocks !== undefined) {
    const before = readBlocks();
    return () => (readBlocks() > before ? 'counted' : 'not-counted');
  }
  const { iteration, maxIterations, completionMarker } = state;
  return () => {
    const after = readAgain();
    if (after?.active !== true) return 'not-counted';
    return after.iteration > iteration ? 'counted' : standIn([completionMarker, maxIterations, iteration]);
  };
}

/** Callbacks that always return the same state are common in a program's tests; in real use such a loop would never end. */
function standIn(shown: readonly [string, number, number]): Count {
  const key = JSON.stringify(shown);
  const count = standIns.get(key) ?? 0;
  if (count >= shown[1]) return 'not-counted';
  standIns.delete(key);
  standIns.set(key, count + 1);
  for (const oldest of standIns.keys()) {
    if (standIns.size <= STAND_INS_MAX) break;
    standIns.delete(oldest);
  }
  return 'counted-here';
}

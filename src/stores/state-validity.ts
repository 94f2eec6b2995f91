import { assert } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import { isEnded } from '../core/loop.ts';

/** Runs right before every commit and right after every load: the guarantees of `advance` must still be true. */
export function assertValid({ spec, state }: Loop): void {
  assert(spec.version === 1 && state.version === 1, 'spec and state are of version 1');
  assert(Number.isSafeInteger(state.counted) && state.counted >= 0, 'iterations are counted from 0 in whole steps');
  assert(state.faults >= state.faultsInRow && state.faultsInRow >= 0, 'faults in a row are faults');
  assert(state.runningMs >= 0, 'running time is never negative');
  assert(isEnded(state) === (state.outcome !== null), 'a loop has an outcome exactly when it has ended');
  assert(isEnded(state) === (state.endedAt !== null), 'a loop has a time of its end exactly when it has ended');
  assert((state.status === 'paused') === (state.pause !== null), 'a loop says what it waits for exactly while paused');
  assert(state.phase === 'ready' || state.status === 'running', 'a turn is open only while the loop runs');
}

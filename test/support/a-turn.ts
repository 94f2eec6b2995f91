import { expect } from 'vitest';
import { advance } from '../../src/core/advance.ts';
import { decide } from '../../src/core/decide.ts';
import type { Event } from '../../src/core/event.ts';
import type { Evidence } from '../../src/core/evidence.ts';
import type { Spec, State, Worker } from '../../src/core/loop.ts';
import { aCheck, aClock, aResult, aSpec, aState } from './a-loop.ts';

/** A driven loop in the middle of its first iteration, with one check that failed before. */
export const spec: Spec = aSpec({ checks: [aCheck('unit')] });
export const worker: Worker = { id: 'w1', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
export const working: State = aState({
  status: 'running',
  phase: 'working',
  worker,
  baseline: [aResult('unit', 'failed')],
  runningSince: aClock(0),
});
export const ended: Event & { kind: 'turn-ended' } = { kind: 'turn-ended', iteration: 1, worker: 'w1' };
export const red: Evidence = {
  clock: aClock(1000),
  checks: [aResult('unit', 'failed')],
  workspace: 'tree-1',
  message: { preview: 'hm', bytes: 2, sketch: [1] },
};
export const green: Evidence = { ...red, checks: [aResult('unit', 'passed')] };

/** The state after an event that is not refused. */
export function after(state: State, event: Event, evidence: Evidence, asked: Spec = spec): State {
  const decision = decide(asked, state, event, evidence);
  expect(decision.kind).not.toBe('abstain');
  return advance(asked, state, { event, evidence, decision, at: '2026-01-01T00:00:00.000Z' });
}

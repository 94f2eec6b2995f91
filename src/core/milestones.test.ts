import { describe, expect, it } from 'vitest';
import { aClock, aResult, aState } from '../../test/support/a-loop.ts';
import type { Entry } from './journal.ts';
import { milestonesOf } from './milestones.ts';

const entry: Entry = {
  v: 1,
  revision: 7,
  prev: null,
  at: '2026-01-01T00:00:00.000Z',
  event: { kind: 'baseline-taken' },
  evidence: { clock: aClock() },
  decision: { kind: 'record' },
};
const where = { loop: 'a-loop', revision: 7, at: entry.at };

describe('milestones', () => {
  it('are what changed for the better, and every pause and end', () => {
    const before = aState({
      counted: 1,
      checks: [aResult('lint', 'passed'), aResult('unit', 'failed')],
      criteriaMet: ['a'],
    });
    const after = aState({
      counted: 2,
      checks: [aResult('lint', 'passed'), aResult('unit', 'passed'), aResult('secret', 'passed', { holdout: true })],
      criteriaMet: ['a', 'b'],
      status: 'completed',
      outcome: { kind: 'completed', verified: true },
      endedAt: entry.at,
    });
    expect(milestonesOf(before, entry, after)).toEqual([
      { ...where, kind: 'iteration-counted', iteration: 2, iterationsMax: 20 },
      { ...where, kind: 'check-passed', name: 'unit' },
      { ...where, kind: 'criterion-met', text: 'b' },
      { ...where, kind: 'ended', outcome: { kind: 'completed', verified: true } },
    ]);
    const paused = aState({ status: 'paused', pause: { cause: 'blocked', question: 'which key?' } });
    expect(milestonesOf(aState(), entry, paused)).toEqual([{ ...where, kind: 'paused', cause: 'blocked' }]);
  });

  it('are none for a birth, a pause that lasts or a step that moves nothing', () => {
    expect(milestonesOf(null, entry, aState())).toEqual([]);
    expect(milestonesOf(aState(), entry, aState())).toEqual([]);
    const paused = aState({ status: 'paused', pause: { cause: 'user' } });
    expect(milestonesOf(paused, entry, paused)).toEqual([]);
  });
});

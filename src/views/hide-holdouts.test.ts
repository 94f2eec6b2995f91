import { expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Entry } from '../core/journal.ts';
import { decisionWithoutHoldouts, entriesWithoutHoldouts, hasHoldouts, withoutHoldouts } from './hide-holdouts.ts';

const SECRET = 'secret-name';
const spec = aSpec({
  checks: [
    aCheck('unit'),
    aCheck(SECRET, { holdout: true, probe: { kind: 'command', command: 'secret-name-command' } }),
  ],
  criteria: [
    { text: 'all good', by: 'check', check: SECRET },
    { text: 'green', by: 'check', check: 'unit' },
  ],
});
const results = [aResult('unit', 'passed'), { ...aResult(SECRET, 'failed'), holdout: true as const, tail: SECRET }];
const unmet = [
  { kind: 'check', name: SECRET, result: 'failed', holdout: true },
  { kind: 'room', name: SECRET, result: 'failed', doubt: 'fails', holdout: true },
  { kind: 'forbidden', what: `not ${SECRET}` },
  { kind: 'claim' },
] as const;
const state = aState({
  checks: results,
  baseline: results,
  roomChecks: results,
  plan: { ...aState().plan, unmet },
  outcome: { kind: 'completed', verified: true, flaky: [SECRET, 'unit'] },
});

it('leaves no trace of a hold-out in a loop', () => {
  const loop = { asked: spec, spec, state };
  expect(hasHoldouts(loop)).toBe(true);
  const shown = withoutHoldouts(loop);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(shown.spec.checks.map(({ name }) => name)).toEqual(['unit']);
  expect(shown.state.checks.map(({ name }) => name)).toEqual(['unit']);
  expect(shown.state.plan.unmet[0]).toMatchObject({ name: 'a hidden check', result: 'failed' });
  expect(hasHoldouts(shown)).toBe(false);
});

it('leaves no trace of a hold-out in a journal', () => {
  const clock = { wallMs: 1, monotonicMs: 1, boot: 'b' };
  const room = { kind: 'judged', work: 'w', runs: results.map((judged) => ({ name: judged.name, judged })) } as const;
  const head = { v: 1, prev: null, at: '2026-01-01' } as const;
  const entries: readonly Entry[] = [
    {
      ...head,
      revision: 1,
      event: { kind: 'loop-started', loop: 'a', spec, session: null, cwd: '/p', machine: 'm' },
      evidence: { clock },
      decision: { kind: 'record' },
    },
    {
      ...head,
      revision: 2,
      event: { kind: 'turn-ended', iteration: 1, worker: null },
      evidence: { clock, checks: results, room: { ...room, changes: [], signs: [] } },
      decision: { kind: 'halt', guard: 'iterations-max', limit: 1, actual: 1, unmet },
    },
    {
      ...head,
      revision: 3,
      event: { kind: 'turn-ended', iteration: 1, worker: null },
      evidence: { clock },
      decision: { kind: 'complete', verified: true, proofs: [{ kind: 'check', name: SECRET }] },
    },
  ];
  expect(JSON.stringify(entries)).toContain(SECRET);
  expect(JSON.stringify(entriesWithoutHoldouts(entries))).not.toContain(SECRET);
  for (const { decision } of entries)
    expect(JSON.stringify(decisionWithoutHoldouts(decision, spec))).not.toContain(SECRET);
});

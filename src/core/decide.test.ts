import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aResult, aSpec } from '../../test/support/a-loop.ts';
import { after, ended, green, red, spec, working } from '../../test/support/a-turn.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';

const turn = (state: Partial<State>, evidence: Evidence, asked: Spec = spec): Decision => {
  const whole = { ...working, ...state };
  return decide(asked, whole, { ...ended, iteration: whole.counted + 1 }, evidence);
};

describe('decide, when a turn ended', () => {
  it('completes, verified, when the checks pass', () => {
    expect(turn({}, green)).toEqual({ kind: 'complete', verified: true, proofs: [{ kind: 'check', name: 'unit' }] });
  });

  it('does not take a claim for proof', () => {
    expect(turn({}, { ...red, claim: { made: 'DONE', blocked: null } })).toMatchObject({
      kind: 'continue',
      iteration: 2,
      unmet: [{ kind: 'check', name: 'unit', result: 'failed' }],
    });
  });

  it('completes a claim without checks, and calls it unverified', () => {
    const bare = aSpec({ checks: [] });
    expect(
      turn({ finish: { kind: 'claim' } }, { ...red, checks: [], claim: { made: 'DONE', blocked: null } }, bare),
    ).toMatchObject({ kind: 'complete', verified: false });
  });

  it('completes on the last allowed iteration instead of halting', () => {
    expect(turn({ counted: 19 }, green)).toMatchObject({ kind: 'complete' });
    expect(turn({ counted: 19 }, red)).toMatchObject({ kind: 'halt', guard: 'iterations-max', limit: 20, actual: 20 });
  });

  it('halts past the limit, not only exactly at it', () => {
    expect(turn({ counted: 57 }, red)).toMatchObject({ kind: 'halt', guard: 'iterations-max', actual: 58 });
  });

  it('knows the cost from a total also after a turn that did not say what it cost', () => {
    const usage = { costUsd: 'unknown', tokens: 'unknown' } as const;
    const blind = { usage, limits: { ...working.limits, costMaxUsd: 2 } };
    expect(turn(blind, red)).toMatchObject({ kind: 'pause', cause: 'usage-unknown' });
    expect(turn(blind, { ...red, costTotalUsd: 1.5 })).toMatchObject({ kind: 'continue' });
    expect(turn(blind, { ...red, costTotalUsd: 2 })).toMatchObject({ kind: 'halt', guard: 'cost-max', actual: 2 });
  });

  it('is brief to an agent that has the goal, and records that', () => {
    const session = { ...spec, driver: 'session' as const };
    const facts = { ...red, remembers: true as const };
    expect(turn({ firstPromptGiven: true }, facts, session)).toMatchObject({ kind: 'continue', brief: true });
    expect(turn({ counted: 1 }, facts, session)).toMatchObject({ kind: 'continue', brief: true });
    expect(turn({}, facts, session)).not.toHaveProperty('brief');
    expect(turn({ firstPromptGiven: true }, red, session)).not.toHaveProperty('brief');
    expect(turn({ firstPromptGiven: true }, facts)).not.toHaveProperty('brief');
  });

  it('announces the last iteration before it begins', () => {
    expect(turn({ counted: 17 }, red)).toMatchObject({ kind: 'continue', iteration: 19, last: false });
    expect(turn({ counted: 18 }, red)).toMatchObject({ kind: 'continue', iteration: 20, last: true });
  });

  it.each([
    ['duration-max', { limits: { ...working.limits, durationMaxMs: 1000 } }, red],
    ['cost-max', { limits: { ...working.limits, costMaxUsd: 2 } }, { ...red, usage: { costUsd: 2, tokens: 10 } }],
    ['tokens-max', { limits: { ...working.limits, tokensMax: 10 } }, { ...red, usage: { costUsd: 2, tokens: 10 } }],
    [
      'no-progress',
      { progress: { stalledHalves: 4, workspaces: ['tree-1'], sketch: [1] }, checks: red.checks ?? [] },
      red,
    ],
  ] as const)('halts at %s with the numbers', (guard, state, evidence) => {
    const decision = turn(state, evidence);
    expect(decision).toMatchObject({ kind: 'halt', guard });
    expect(
      decision.kind === 'halt' &&
        decision.actual !== null &&
        decision.limit !== null &&
        decision.actual >= decision.limit,
    ).toBe(true);
  });

  it('asks a human rather than ignore a cost limit it cannot see', () => {
    expect(turn({ limits: { ...working.limits, costMaxUsd: 2 } }, red)).toMatchObject({
      kind: 'pause',
      cause: 'usage-unknown',
    });
  });

  it('pauses on a blocked claim with the agent’s own words, before any limit', () => {
    expect(turn({ counted: 19 }, { ...red, claim: { made: null, blocked: 'need the API key' } })).toMatchObject({
      kind: 'pause',
      cause: 'blocked',
      question: 'need the API key',
    });
  });

  it('prefers proven completion over a blocked claim', () => {
    expect(turn({}, { ...green, claim: { made: null, blocked: 'need the API key' } })).toMatchObject({
      kind: 'complete',
    });
  });

  it('holds green checks over edited protected files for review', () => {
    const protectedFiles = { hash: 'h2', changed: ['test/a.test.js'], manifest: 'm2' };
    const decision = turn({ protectedAccepted: { hash: 'h1', manifest: 'm1' } }, { ...green, protectedFiles });
    expect(decision).toMatchObject({
      kind: 'pause',
      cause: 'review',
      request: 'protected-files',
      question: 'test/a.test.js',
    });
  });

  it('asks for approval only when nothing else is missing', () => {
    const careful = aSpec({ checks: [aCheck('unit')], approveFinish: true });
    expect(turn({ finish: null }, red, careful)).toMatchObject({ kind: 'continue' });
    expect(turn({ finish: null }, green, careful)).toMatchObject({
      kind: 'pause',
      cause: 'approval',
      request: 'finish',
    });
  });

  it('tells "you broke it" from "still red"', () => {
    expect(turn({ baseline: [aResult('unit', 'passed')] }, red)).toMatchObject({
      unmet: [{ name: 'unit', regressed: true }, { kind: 'claim' }],
    });
    expect(turn({}, red)).toMatchObject({ unmet: [{ name: 'unit', result: 'failed' }] });
  });

  it('abstains while the host still has background work', () => {
    expect(turn({}, { ...green, backgroundWork: true })).toEqual({ kind: 'abstain', because: 'background-work' });
    expect(turn({}, { ...green, userFirst: true })).toEqual({ kind: 'abstain', because: 'user-first' });
  });

  it.each([
    ['of another worker', { ...ended, worker: 'w2' }],
    ['of another iteration', { ...ended, iteration: 7 }],
    ['without a worker on a driven loop', { ...ended, worker: null }],
  ] as const)('refuses a turn %s', (_, event) => {
    expect(decide(spec, working, event, green)).toEqual({ kind: 'abstain', because: 'not-awaited' });
  });

  it('takes the same stop reported twice for one', () => {
    const mark = { messageHash: 'x', transcriptBytes: 9 };
    const session = aSpec({ checks: [aCheck('unit')], driver: 'session' });
    const state = { ...working, worker: null, lastTurn: mark };
    expect(decide(session, state, { kind: 'turn-ended', iteration: null, worker: null, mark }, red)).toEqual({
      kind: 'abstain',
      because: 'duplicate',
    });
    expect(
      decide(
        session,
        state,
        { kind: 'turn-ended', iteration: null, worker: null, mark: { ...mark, transcriptBytes: 10 } },
        red,
      ),
    ).toMatchObject({ kind: 'continue' });
  });

  it.each(['pending', 'paused', 'completed', 'halted', 'cancelled'] as const)(
    'abstains while the loop is %s',
    (status) => {
      expect(turn({ status }, green).kind).toBe('abstain');
    },
  );
});

describe('decide, when a turn failed', () => {
  const failed = (failure: Partial<Extract<Event, { kind: 'turn-failed' }>['failure']>): Event => ({
    kind: 'turn-failed',
    iteration: 1,
    worker: 'w1',
    failure: { class: 'unknown', detail: 'exit 1', ...failure },
  });

  it('runs the iteration again under its own number, after a pause that doubles', () => {
    const first = decide(spec, working, failed({}), red);
    expect(first).toMatchObject({ kind: 'continue', iteration: 1, rerun: true, delayMs: 1000 });
    expect(decide(spec, { ...working, faultsInRow: 1 }, failed({}), red)).toMatchObject({
      iteration: 1,
      delayMs: 2000,
    });
    expect(after(working, failed({}), red)).toMatchObject({ counted: 0, faults: 1, faultsInRow: 1, phase: 'ready' });
  });

  it('halts at the third fault in a row', () => {
    expect(decide(spec, { ...working, faultsInRow: 2 }, failed({}), red)).toMatchObject({
      kind: 'halt',
      guard: 'faults-in-row',
      actual: 3,
    });
  });

  it('halts at once on a fatal failure', () => {
    expect(decide(spec, working, failed({ class: 'fatal', detail: 'not logged in' }), red)).toMatchObject({
      kind: 'halt',
      guard: 'agent-failed',
      detail: 'not logged in',
    });
  });

  it('pauses at a usage limit, costs nothing, and continues when it ends', () => {
    const parked = after(working, failed({ class: 'usage-limit', resumeAt: aClock(5000).wallMs }), red);
    expect(parked).toMatchObject({
      status: 'paused',
      counted: 0,
      faultsInRow: 0,
      pause: { cause: 'usage-limit', resumeAt: aClock(5000).wallMs },
    });
    expect(decide(spec, parked, { kind: 'wait-ended' }, { clock: aClock(4999) })).toEqual({
      kind: 'abstain',
      because: 'wait-not-over',
    });
    expect(decide(spec, parked, { kind: 'wait-ended' }, { clock: aClock(5000) })).toMatchObject({
      kind: 'continue',
      iteration: 1,
      rerun: true,
    });
  });

  it('forgets earlier faults once an iteration succeeds', () => {
    expect(after({ ...working, faultsInRow: 2 }, ended, red).faultsInRow).toBe(0);
  });
});

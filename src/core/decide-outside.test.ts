import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { after, ended, green, red, spec, worker, working } from '../../test/support/a-turn.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import { iterationOf } from './loop.ts';
import { promptOf } from './prompt.ts';

describe('decide, about the lease', () => {
  const other = { ...worker, id: 'w2', pid: 2 };
  const leased: Event = { kind: 'worker-leased', worker: other };

  it('refuses a second worker while the first is alive, and while nobody knows', () => {
    expect(decide(spec, working, leased, { clock: aClock(9), holderAlive: true })).toEqual({
      kind: 'abstain',
      because: 'held-by-other',
    });
    expect(decide(spec, working, leased, { clock: aClock(9) })).toEqual({ kind: 'abstain', because: 'held-by-other' });
  });

  it('hands a dead worker’s open turn over as a fault under the same number', () => {
    const next = after({ ...working, counted: 4, steeringSent: ['use tabs'] }, leased, {
      clock: aClock(9_000_000),
      holderAlive: false,
      holderSeen: aClock(700),
    });
    expect(next).toMatchObject({
      counted: 4,
      faults: 1,
      faultsInRow: 1,
      phase: 'ready',
      worker: { id: 'w2' },
      steering: ['use tabs'],
      plan: { rerun: true },
    });
  });

  it('counts a dead worker’s time only until it was last seen', () => {
    const next = after(working, leased, { clock: aClock(9_000_000_000), holderAlive: false, holderSeen: aClock(700) });
    expect(next.runningMs).toBe(700);
    expect(next.status).toBe('running');
  });

  it('does not count the silence of a dead worker when someone else posts', () => {
    expect(
      after(
        working,
        { kind: 'steering-given', text: 'hi' },
        { clock: aClock(9_000_000_000), holderAlive: false, holderSeen: aClock(300) },
      ).runningMs,
    ).toBe(300);
  });
});

describe('decide, when a human speaks', () => {
  it('lets the user cancel whatever else is true', () => {
    expect(after({ ...working, status: 'paused' }, { kind: 'cancel-requested' }, { clock: aClock(1) })).toMatchObject({
      status: 'cancelled',
      outcome: { kind: 'cancelled' },
    });
  });

  it('pauses in the middle of a turn without counting it, and repeats it under its number', () => {
    const paused = after(
      { ...working, counted: 2 },
      { kind: 'pause-requested' },
      { clock: aClock(5), holderAlive: true, holderSeen: aClock(5) },
    );
    expect(paused).toMatchObject({ status: 'paused', counted: 2, phase: 'ready', runningSince: null, faults: 0 });
    expect(decide(spec, paused, { kind: 'resume-requested' }, { clock: aClock(6) })).toMatchObject({
      kind: 'continue',
      iteration: 3,
      rerun: true,
    });
  });

  it('takes the baseline first when it was paused before that', () => {
    const pending = aState({ status: 'pending' });
    const paused = after(pending, { kind: 'pause-requested' }, { clock: aClock(1) });
    expect(paused.status).toBe('paused');
    expect(after(paused, { kind: 'resume-requested' }, { clock: aClock(2) })).toMatchObject({
      status: 'pending',
      pause: null,
    });
  });

  it('does not add paused time to the running time', () => {
    const paused = after(
      working,
      { kind: 'pause-requested' },
      { clock: aClock(500), holderAlive: true, holderSeen: aClock(500) },
    );
    const resumed = after(paused, { kind: 'resume-requested' }, { clock: aClock(9_000_000_000) });
    expect(resumed.runningMs).toBe(500);
  });

  it('keeps a message for the next prompt and hands it over once', () => {
    const told = after(
      working,
      { kind: 'steering-given', text: 'use tabs' },
      { clock: aClock(1), holderAlive: true, holderSeen: aClock(1) },
    );
    expect(told.steering).toEqual(['use tabs']);
    const next = after(told, ended, red);
    const begun = after(next, { kind: 'iteration-began', iteration: 2, worker: 'w1' }, { clock: aClock(2) });
    expect([begun.steering, begun.steeringSent]).toEqual([[], ['use tabs']]);
  });

  it('resumes a halted loop only when the limit was raised', () => {
    const halted = after({ ...working, counted: 19 }, { ...ended, iteration: 20 }, red);
    expect(halted.status).toBe('halted');
    expect(decide(spec, halted, { kind: 'resume-requested' }, { clock: aClock(1) })).toEqual({
      kind: 'abstain',
      because: 'limit-not-raised',
    });
    const resumed = after(halted, { kind: 'resume-requested', limits: { iterationsMax: 25 } }, { clock: aClock(1) });
    expect(resumed).toMatchObject({
      status: 'running',
      counted: 20,
      limits: { iterationsMax: 25 },
      outcome: null,
      endedAt: null,
    });
  });

  it('takes other limits for an open loop whose driver is gone, and changes nothing when they leave no room', () => {
    const left = { ...working, counted: 4 };
    const limits = (iterationsMax: number): Event => ({ kind: 'resume-requested', limits: { iterationsMax } });
    const dead = { clock: aClock(1), holderAlive: false };
    expect(after(left, limits(40), dead)).toMatchObject({
      status: 'running',
      phase: 'working',
      limits: { iterationsMax: 40 },
    });
    expect(decide(spec, left, limits(2), dead)).toEqual({ kind: 'abstain', because: 'limit-not-raised' });
    expect(decide(spec, left, limits(40), { ...dead, holderAlive: true })).toEqual({
      kind: 'abstain',
      because: 'not-paused',
    });
    expect(decide(spec, left, { kind: 'resume-requested' }, dead)).toEqual({ kind: 'abstain', because: 'not-paused' });
  });

  it('names the interrupted iteration while it waits to be repeated', () => {
    const paused = after(
      { ...working, counted: 4 },
      { kind: 'pause-requested' },
      { clock: aClock(5), holderAlive: true },
    );
    expect(iterationOf(paused)).toBe(5);
  });

  it.each(['completed', 'cancelled'] as const)('does not wake a %s loop', (status) => {
    expect(decide(spec, { ...working, status }, { kind: 'resume-requested' }, { clock: aClock(1) })).toEqual({
      kind: 'abstain',
      because: 'ended',
    });
  });

  it('completes on approval with the evidence it was asked for, and refuses a second answer', () => {
    const careful = aSpec({ checks: [aCheck('unit')], approveFinish: true });
    const decision = decide(careful, { ...working, finish: null }, ended, green);
    const paused = advance(careful, { ...working, finish: null }, { event: ended, evidence: green, decision, at: 't' });
    const approval: Event = { kind: 'approval-given', request: 'finish' };
    expect(decide(careful, paused, { ...approval, request: 'other' }, { clock: aClock(2) })).toEqual({
      kind: 'abstain',
      because: 'not-awaited',
    });
    const done = decide(careful, paused, approval, { clock: aClock(2) });
    expect(done).toMatchObject({ kind: 'complete', verified: true });
    const over = advance(careful, paused, { event: approval, evidence: { clock: aClock(2) }, decision: done, at: 't' });
    expect(decide(careful, over, approval, { clock: aClock(3) })).toEqual({ kind: 'abstain', because: 'not-awaited' });
  });

  it('sends the agent back with the reason when approval is refused', () => {
    const careful = aSpec({ checks: [aCheck('unit')], approveFinish: true });
    const first = decide(careful, { ...working, finish: null }, ended, green);
    const paused = advance(
      careful,
      { ...working, finish: null },
      { event: ended, evidence: green, decision: first, at: 't' },
    );
    const event: Event = { kind: 'approval-refused', request: 'finish', reason: 'the button is blue' };
    const decision = decide(careful, paused, event, { clock: aClock(2) });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 2 });
    const told = advance(careful, paused, { event, evidence: { clock: aClock(2) }, decision, at: 't' });
    expect(told.steering).toEqual([{ refused: 'finish', reason: 'the button is blue' }]);
    expect(promptOf(careful, told)).toContain('The user rejected (finish): the button is blue');
  });
});

describe('decide, at delivery', () => {
  const ready = { ...working, phase: 'ready' as const };

  it('accepts the awaited iteration of the lease holder only, once', () => {
    const began = (iteration: number, id: string): Decision =>
      decide(spec, ready, { kind: 'iteration-began', iteration, worker: id }, { clock: aClock(1) });
    expect(began(1, 'w1').kind).toBe('record');
    expect(began(2, 'w1').kind).toBe('abstain');
    expect(began(1, 'w2').kind).toBe('abstain');
    expect(
      decide(spec, working, { kind: 'iteration-began', iteration: 1, worker: 'w1' }, { clock: aClock(1) }).kind,
    ).toBe('abstain');
  });
});

describe('decide, when the agent tries what only a person may do', () => {
  const tried: Event = { kind: 'attempt-refused', command: 'approve' };

  it('writes it down and changes nothing else', () => {
    const {
      attemptsRefused,
      runningMs: _,
      runningSince: __,
      updatedAt: ___,
      ...next
    } = after(working, tried, {
      clock: aClock(5),
    });
    const { runningMs: _r, runningSince: _s, updatedAt: _u, ...before } = working;
    expect(attemptsRefused).toBe(1);
    expect(next).toEqual(before);
    expect(after({ ...working, status: 'halted' }, tried, { clock: aClock(5) }).status).toBe('halted');
  });

  it('writes down twenty of them and no more, and none of a loop that is over', () => {
    const clock = aClock(5);
    expect(decide(spec, { ...working, attemptsRefused: 19 }, tried, { clock })).toEqual({ kind: 'record' });
    expect(decide(spec, { ...working, attemptsRefused: 20 }, tried, { clock }).kind).toBe('abstain');
    expect(decide(spec, { ...working, status: 'completed' }, tried, { clock }).kind).toBe('abstain');
  });
});

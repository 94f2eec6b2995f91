import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Event } from '../core/event.ts';
import type { CheckAnswer } from '../core/evidence.ts';
import { loopOf } from '../core/journal.ts';
import type { Spec, State } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import { NO_FILES } from './no-files.ts';
import { runSync } from './pipeline.ts';
import type { CommitResult, Draft, Effects, Loaded, ProbeAnswer } from './ports.ts';

const spec = aSpec({ checks: [aCheck('unit'), aCheck('secret', { holdout: true })] });
const worker = { id: 'w1', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
const working = aState({ status: 'running', phase: 'working', worker, baseline: [aResult('unit', 'failed')] });
const ended: Event = { kind: 'turn-ended', iteration: 1, worker: 'w1' };

type Seen = { probed: string[]; drafts: Draft[]; loads: number };

function world(
  asked: Spec,
  states: readonly State[],
  answers: Record<string, CheckAnswer[]>,
): { effects: Effects; seen: Seen } {
  const seen: Seen = { probed: [], drafts: [], loads: 0 };
  const loaded = (index: number): Loaded | undefined => {
    const state = states[Math.min(index, states.length - 1)];
    return state === undefined
      ? undefined
      : { ...loopOf(asked, state), head: { revision: index + 1, hash: `h${index}` } };
  };
  const commit = (_: string, head: { revision: number }, draft: Draft): CommitResult => {
    seen.drafts.push(draft);
    const now = loaded(0);
    // Every state but the last was left by a rival, so committing on it conflicts.
    return head.revision < states.length || now === undefined
      ? { kind: 'conflict' }
      : { kind: 'committed', loaded: now };
  };
  const probe: Effects['probe'] = ({ requests }) =>
    requests.map((request): ProbeAnswer => {
      if (request.kind === 'check') {
        seen.probed.push(request.check.name);
        return { kind: 'check', result: aResult(request.check.name, answers[request.check.name]?.shift() ?? 'failed') };
      }
      return request.kind === 'holder'
        ? { kind: 'holder', alive: true, seen: null }
        : { kind: 'workspace', fingerprint: 'w' };
    });
  return {
    effects: {
      readClock: () => aClock(5),
      load: () => loaded(seen.loads++),
      create: commit as never,
      commit,
      probe,
      ...NO_FILES,
      bindSession: () => undefined,
      bindFirst: (_, loop) => loop,
      loopOfSession: () => undefined,
    },
    seen,
  };
}

describe('handling an event', () => {
  it('runs no check for an event that will be refused', () => {
    const { effects, seen } = world(spec, [{ ...working, status: 'cancelled' }], {});
    expect(runSync(handleEvent('l', ended), effects).decision).toMatchObject({ kind: 'abstain' });
    expect(seen).toMatchObject({ probed: [], drafts: [] });
  });

  it('runs a hold-out only when everything else passes', () => {
    const red = world(spec, [working], { unit: ['failed'] });
    runSync(handleEvent('l', ended), red.effects);
    expect(red.seen.probed).toEqual(['unit']);
    const green = world(spec, [working], { unit: ['passed'], secret: ['passed'] });
    expect(runSync(handleEvent('l', ended), green.effects).decision).toMatchObject({
      kind: 'complete',
      verified: true,
    });
    expect(green.seen.probed).toEqual(['unit', 'secret']);
  });

  it('does not run the checks again after a conflict', () => {
    const { effects, seen } = world(spec, [working, working, working], { unit: ['passed'], secret: ['passed'] });
    expect(runSync(handleEvent('l', ended), effects).decision.kind).toBe('complete');
    expect(seen.probed).toEqual(['unit', 'secret']);
    expect(seen.drafts).toHaveLength(3);
  });

  it('looks again after a conflict at who holds the lease: a living heir keeps it', () => {
    const { effects, seen } = world(spec, [working, { ...working, worker: { ...worker, id: 'heir' } }], {});
    const alive: string[] = [];
    const probe: Effects['probe'] = ({ requests }) =>
      requests.map((request): ProbeAnswer => {
        const id = request.kind === 'holder' ? request.worker.id : '';
        alive.push(id);
        return { kind: 'holder', alive: id === 'heir', seen: null };
      });
    const leased: Event = { kind: 'worker-leased', worker: { ...worker, id: 'w3' } };
    const { decision } = runSync(handleEvent('l', leased), { ...effects, probe });
    expect(decision).toEqual({ kind: 'abstain', because: 'held-by-other' });
    expect(alive).toEqual(['w1', 'heir']);
    expect(seen.drafts).toHaveLength(1);
  });

  it('keeps only the slow part of its evidence after a conflict: the time is that of the last try', () => {
    const { effects, seen } = world(spec, [working, working], { unit: ['failed'] });
    let now = 0;
    runSync(handleEvent('l', ended), { ...effects, readClock: () => aClock((now += 1000)) });
    const [first, second] = seen.drafts.map((draft) => draft.evidence.clock.monotonicMs);
    expect(second).toBeGreaterThan(first ?? Infinity);
  });

  it('decides anew after a conflict: a rival’s cancel wins', () => {
    const { effects, seen } = world(spec, [working, { ...working, status: 'cancelled' }], { unit: ['failed'] });
    expect(runSync(handleEvent('l', ended), effects).decision).toEqual({ kind: 'abstain', because: 'ended' });
    expect(seen.drafts).toHaveLength(1);
  });

  it('asks a failing check once more when it would refuse a claim, and calls a second pass flaky', () => {
    const { effects, seen } = world(spec, [working], { unit: ['failed', 'passed'], secret: ['passed'] });
    const handled = runSync(handleEvent('l', ended, { message: '<promise>DONE</promise>' }), effects);
    expect(seen.probed).toEqual(['unit', 'unit', 'secret']);
    expect(handled.evidence?.checks?.[0]).toMatchObject({ name: 'unit', result: 'passed', flaky: true });
  });

  it('does not spend a second run on a check that was red all along', () => {
    const { effects, seen } = world(spec, [working], { unit: ['failed', 'passed'] });
    runSync(handleEvent('l', ended, { message: 'still at it' }), effects);
    expect(seen.probed).toEqual(['unit']);
  });

  it('asks again about a check that passed the last time', () => {
    const { effects, seen } = world(spec, [{ ...working, checks: [aResult('unit', 'passed')] }], {
      unit: ['failed', 'failed'],
    });
    expect(runSync(handleEvent('l', ended), effects).decision.kind).toBe('continue');
    expect(seen.probed).toEqual(['unit', 'unit']);
  });

  it('runs again what passed late, before it completes a loop, and only then', () => {
    const inTree = aSpec({ checks: [aCheck('unit')] });
    const late = (again: CheckAnswer, state: State, message = '') => {
      const { effects, seen } = world(inTree, [state], {});
      const asked: (true | undefined)[] = [];
      const probe: Effects['probe'] = (batch) => {
        if (batch.requests[0]?.kind !== 'check') return effects.probe(batch);
        asked.push(batch.again);
        const result = batch.again ? aResult('unit', again) : aResult('unit', 'passed', { late: true });
        return [{ kind: 'check', result }];
      };
      const { decision } = runSync(handleEvent('l', ended, { message }), { ...effects, probe });
      return { decision: decision.kind, asked, kept: seen.drafts[0]?.evidence.checks?.[0]?.result };
    };
    expect(late('passed', working)).toEqual({ decision: 'complete', asked: [undefined, true], kept: 'passed' });
    expect(late('failed', working)).toEqual({ decision: 'continue', asked: [undefined, true], kept: 'failed' });
    const claiming: State = {
      ...working,
      finish: { kind: 'all', of: [{ kind: 'claim' }, { kind: 'check', name: 'unit' }] },
    };
    expect(late('passed', claiming, 'not done')).toMatchObject({ decision: 'continue', asked: [undefined] });
  });

  it('abstains without a loop', () => {
    const { effects } = world(spec, [], {});
    expect(runSync(handleEvent('nobody', ended), effects).decision).toEqual({ kind: 'abstain', because: 'no-loop' });
  });

  it('gives up with a fault when the others never let it through', () => {
    const { effects } = world(spec, [working], {});
    const never: Effects = { ...effects, commit: () => ({ kind: 'conflict' }) };
    expect(() => runSync(handleEvent('l', { kind: 'steering-given', text: 'x' }), never)).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT' }),
    );
  });
});

describe('when a report began', () => {
  const inSession = aSpec({ driver: 'session' });
  const lastTurn = { messageHash: 'not yet', decided: aClock(3) };
  const state = aState({ phase: 'working', baseline: [], runningSince: aClock(3), lastTurn });
  const stop = (messageHash: string): Event => ({
    kind: 'turn-ended',
    iteration: null,
    worker: null,
    mark: { messageHash },
  });
  const asking = (ms: number): { readonly asked: number[]; readonly beganMs: () => number } => {
    const asked: number[] = [];
    return { asked, beganMs: () => (asked.push(ms), ms) };
  };

  it('is never asked when something else was said', () => {
    const { effects, seen } = world(inSession, [state], {});
    const { asked, beganMs } = asking(4);
    runSync(handleEvent('a-loop', stop('something else'), { beganMs }), effects);
    expect(asked).toEqual([]);
    expect(seen.drafts[0]?.evidence).not.toHaveProperty('reporterBeganMs');
  });

  it('is evidence when the same was said again', () => {
    const { effects, seen } = world(inSession, [state], {});
    runSync(handleEvent('a-loop', stop('not yet'), asking(4)), effects);
    expect(seen.drafts[0]?.evidence.reporterBeganMs).toBe(4);
  });

  it('is looked up again after a conflict: only now the words are the same', () => {
    const before = { ...state, lastTurn: null };
    const { effects, seen } = world(inSession, [before, state], {});
    const { decision } = runSync(handleEvent('a-loop', stop('not yet'), asking(2)), effects);
    expect(decision).toEqual({ kind: 'abstain', because: 'duplicate' });
    expect(seen.drafts).toHaveLength(1);
  });
});

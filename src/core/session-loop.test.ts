import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import { repeatsLastTurn } from './decide-turn.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import { loopOf } from './journal.ts';
import type { PauseCause, Spec, State } from './loop.ts';
import { iterationOf } from './loop.ts';
import { promptOf } from './prompt.ts';

const spec = aSpec({ driver: 'session' });
const session = { host: 'claude-code', id: 's1' };
const working = aState({ phase: 'working', session, baseline: [], runningSince: aClock(0) });
const stop: Event = { kind: 'turn-ended', iteration: null, worker: null };
const nothing = { made: null, blocked: null };

function step(asked: Spec, state: State, event: Event, evidence: Partial<Evidence> = {}): [Decision, State] {
  const facts = { clock: aClock(5), ...evidence };
  const decision = decide(asked, state, event, facts);
  const next =
    decision.kind === 'abstain' ? state : advance(asked, state, { event, evidence: facts, decision, at: 'now' });
  return [decision, next];
}

const paused = (cause: PauseCause): State => aState({ status: 'paused', pause: { cause }, session, baseline: [] });

describe('the user writes in the session of a loop', () => {
  it('is noted while the agent works, and starts a new row of replies', () => {
    const [decision, next] = step(spec, { ...working, repliesInRow: 5 }, { kind: 'user-spoke' });
    expect(decision).toEqual({ kind: 'record' });
    expect(next).toMatchObject({ phase: 'working', counted: 0, repliesInRow: 0 });
  });

  it.each(['aborted', 'failed', 'blocked', 'trouble', 'usage-limit', 'handed-over'] as const)(
    'continues a loop that is paused: %s',
    (cause) => {
      const [decision, next] = step(spec, paused(cause), { kind: 'user-spoke' });
      expect(decision).toMatchObject({ kind: 'continue', iteration: 1 });
      expect(next).toMatchObject({ status: 'running', phase: 'working' });
    },
  );

  it.each(['user', 'approval', 'review', 'usage-unknown'] as const)(
    'leaves a loop alone that waits for a decision: %s',
    (cause) => {
      expect(step(spec, paused(cause), { kind: 'user-spoke' })[0]).toMatchObject({ kind: 'abstain' });
    },
  );

  it('does not move a loop that tireless drives', () => {
    expect(step(aSpec(), working, { kind: 'user-spoke' })[0]).toEqual({ kind: 'abstain', because: 'not-awaited' });
  });
});

describe('a loop of a session is continued from outside', () => {
  const note = { refused: 'PAY.md', reason: 'too much' };

  it.each([
    [{ kind: 'resume-requested' }, { cause: 'user' }],
    [
      { kind: 'approval-given', request: 'a' },
      { cause: 'approval', request: 'a' },
    ],
    [
      { kind: 'approval-refused', request: 'a', reason: 'no' },
      { cause: 'approval', request: 'a' },
    ],
  ] as const)('keeps the messages for the next prompt: %o', (event, pause) => {
    const before = {
      ...aState({ status: 'paused', pause, session, baseline: [], runningSince: null }),
      steering: [note],
    };
    const [, outside] = step(spec, before, event, { noReply: true });
    expect(outside).toMatchObject({ status: 'running', phase: 'working' });
    const [, next] = step(spec, outside, stop, { claim: nothing });
    expect(promptOf(spec, next)).toContain('too much');
    const [, inside] = step(spec, before, event);
    expect(promptOf(spec, inside)).toContain('too much');
    const [, later] = step(spec, inside, stop, { claim: nothing });
    expect(promptOf(spec, later)).not.toContain('too much');
  });
});

describe('a session comes back', () => {
  it('runs the open iteration again under its own number, as a fault, and counts no time of the absence', () => {
    const before = { ...working, counted: 3, runningMs: 7000 };
    const [decision, next] = step(spec, before, { kind: 'session-resumed' }, { clock: aClock(90_000) });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 4, rerun: true });
    expect(next).toMatchObject({ counted: 3, faults: 1, faultsInRow: 1, phase: 'working', runningMs: 7000 });
    expect(next.runningSince).toEqual(aClock(90_000));
  });

  it('counts a turn once that failed and was reported, and again one that a second crash cut off', () => {
    const failure = { class: 'unknown', detail: 'the model is gone' } as const;
    const failed = step(spec, working, { kind: 'turn-failed', failure, iteration: null, worker: null })[1];
    expect(failed).toMatchObject({ faults: 1, phase: 'working' });
    const [decision, back] = step(spec, failed, { kind: 'session-resumed' }, { clock: aClock(90_000) });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 1, rerun: true });
    expect(back).toMatchObject({ faults: 1, faultsInRow: 1, runningSince: aClock(90_000) });
    const cut = step(spec, working, { kind: 'session-resumed' })[1];
    expect(step(spec, cut, { kind: 'session-resumed' })[1]).toMatchObject({ faults: 2, faultsInRow: 2 });
  });

  it('is no news to a loop that waits or has ended', () => {
    expect(step(spec, paused('user'), { kind: 'session-resumed' })[0]).toMatchObject({ kind: 'abstain' });
  });
});

describe('the host obeys only so many replies in a row', () => {
  it('hands the loop over before the host would cut it off, with its counters', () => {
    let state: State = working;
    const kinds: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const evidence = { claim: nothing, sentBack: turn > 0, repliesInRowMax: 3, workspace: `w${turn}` };
      const [decision, next] = step(spec, state, stop, evidence);
      kinds.push(decision.kind === 'pause' ? `${decision.cause} ${decision.request ?? ''}` : decision.kind);
      state = next;
    }
    expect(kinds).toEqual(['continue', 'continue', 'continue', 'handed-over replies-in-row']);
    expect(state).toMatchObject({ status: 'paused', counted: 4 });
    expect(step(spec, state, { kind: 'user-spoke' })[0]).toMatchObject({ kind: 'continue', iteration: 5 });
  });

  it('is not reached by a loop that only watches: it gives no replies', () => {
    const row = { claim: nothing, sentBack: true, repliesInRowMax: 3 };
    const [decision] = step(aSpec({ driver: 'session', observe: true }), { ...working, repliesInRow: 9 }, stop, row);
    expect(decision).toMatchObject({ kind: 'continue' });
  });

  it('begins a new row with a tool where the host does, also while checks take long', () => {
    const row = { claim: nothing, sentBack: true, repliesInRowMax: 3 };
    const full = { ...working, repliesInRow: 3 };
    expect(step(spec, full, stop, row)[0]).toMatchObject({ kind: 'pause', request: 'replies-in-row' });
    const [decision, next] = step(spec, full, stop, { ...row, newRow: true });
    expect(decision).toMatchObject({ kind: 'continue' });
    expect(next).toMatchObject({ repliesInRow: 1 });
    const checks = [{ name: 'tests', result: 'unknown', unknown: 'still-running', tail: '', durationMs: 0 }] as const;
    const waiting = step(spec, full, stop, { ...row, newRow: true, checks });
    expect(waiting[0]).toMatchObject({ kind: 'continue', waiting: true });
    expect(waiting[1]).toMatchObject({ repliesInRow: 1, counted: 0 });
  });

  it('completes rather than hands over', () => {
    const evidence = { claim: { made: 'DONE', blocked: null }, sentBack: true, repliesInRowMax: 0 };
    expect(step(spec, working, stop, evidence)[0]).toMatchObject({ kind: 'complete' });
  });

  it('hands over when the conversation has no room left', () => {
    const evidence = { claim: nothing, contextFull: true };
    expect(step(spec, working, stop, evidence)[0]).toMatchObject({ kind: 'pause', request: 'context-full' });
  });

  it('hands over when a turn failed because the conversation is full; a fault, not an iteration', () => {
    const failure = { class: 'context-full', detail: 'prompt is too long' } as const;
    const failed: Event = { kind: 'turn-failed', failure, iteration: null, worker: null };
    const [decision, next] = step(spec, { ...working, counted: 2 }, failed);
    expect(decision).toMatchObject({ kind: 'pause', cause: 'handed-over', request: 'context-full' });
    expect(next).toMatchObject({ status: 'paused', counted: 2, faults: 1 });
  });

  it('lets another driver continue with the same counters', () => {
    const agent = { kind: 'command', command: 'agent' } as const;
    const [decision, next] = step(spec, { ...working, counted: 4 }, { kind: 'driver-changed', agent });
    expect(decision).toEqual({ kind: 'record' });
    expect(next).toMatchObject({ counted: 4, phase: 'ready', session: null, edits: { driver: 'outer', agent } });
    const outer = loopOf(spec, next).spec;
    expect(promptOf(outer, next)).toContain('Earlier iterations worked on it');
    // From now on, stops of the old session are a stranger's.
    const worker = { id: 'w1', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
    const [lease, leased] = step(outer, next, { kind: 'worker-leased', worker }, { holderAlive: false });
    expect(lease.kind).toBe('record');
    expect(step(outer, { ...leased, phase: 'working' }, stop)[0]).toMatchObject({ because: 'not-awaited' });
  });
});

describe('a check outlasts the hook', () => {
  const slow = aSpec({ driver: 'session', checks: [aCheck('slow')], claimRequired: true });
  const begun = { ...working, baseline: [aResult('slow', 'failed')] };
  const running = { checks: [aResult('slow', 'unknown', { unknown: 'still-running' })] };
  const claim = { made: 'DONE', blocked: null };

  it('counts nothing, tells the agent to wait, and still knows the claim when the answer is there', () => {
    const [decision, waiting] = step(slow, begun, stop, { ...running, claim });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 1, waiting: true });
    expect(waiting).toMatchObject({ counted: 0, phase: 'working', faults: 0 });
    expect(promptOf(slow, waiting)).toContain('tireless wait a-loop');
    const [again, still] = step(slow, waiting, stop, { ...running, claim: nothing });
    expect(again).toMatchObject({ waiting: true });
    const [end] = step(slow, still, stop, { checks: [aResult('slow', 'passed')], claim: nothing });
    expect(end).toMatchObject({ kind: 'complete', verified: true });
  });

  it('judges and counts the iteration once when the answer is bad news', () => {
    const [, waiting] = step(slow, begun, stop, { ...running, claim });
    const [decision, next] = step(slow, waiting, stop, { checks: [aResult('slow', 'failed')], claim: nothing });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(decision).not.toHaveProperty('waiting');
    expect(next).toMatchObject({ counted: 1 });
    expect(promptOf(slow, next)).not.toContain('tireless wait');
  });

  it('names the call that runs where the agent works, verbatim', () => {
    const call = `'/opt/my  node' '/it'\\''s/cli.js'`;
    const named = { checks: [aResult('slow', 'unknown', { unknown: 'still-running', call })], claim: nothing };
    const [, waiting] = step(slow, begun, stop, named);
    expect(promptOf(slow, waiting)).toContain(`\n${call} wait a-loop\n`);
    const [, again] = step(slow, waiting, stop, {
      checks: [aResult('slow', 'unknown', { unknown: 'still-running', call: 'tireless' })],
      claim: nothing,
    });
    expect(promptOf(slow, again)).toContain(`\ntireless wait a-loop\n`);
  });

  it('hands over when the host obeys no longer, although nothing is judged: not counted, and the claim is kept', () => {
    const row = { ...running, claim: nothing, sentBack: true, repliesInRowMax: 2 };
    let state = step(slow, begun, stop, { ...row, claim })[1];
    const kinds = [0, 1].map(() => {
      const [decision, next] = step(slow, state, stop, row);
      state = next;
      return decision.kind;
    });
    expect(kinds).toEqual(['continue', 'pause']);
    expect(state).toMatchObject({ status: 'paused', counted: 0, pause: { request: 'replies-in-row' } });
    expect(state.pause).not.toHaveProperty('waiting');
    expect(iterationOf(state)).toBe(1);
    // In its own session it keeps waiting, with a new row; elsewhere a fresh agent is told everything.
    const [again, back] = step(slow, state, { kind: 'user-spoke' });
    expect(again).toMatchObject({ kind: 'continue', iteration: 1, waiting: true });
    expect(back).toMatchObject({ counted: 0, repliesInRow: 0 });
    const passed = { checks: [aResult('slow', 'passed')], claim: nothing, sentBack: false };
    expect(step(slow, back, stop, passed)[0]).toMatchObject({ kind: 'complete', verified: true });
    const agent = { kind: 'command', command: 'agent' } as const;
    for (const left of [state, back]) {
      const [, taken] = step(slow, left, { kind: 'driver-changed', agent });
      expect(promptOf(slow, taken)).not.toContain('tireless wait');
    }
  });

  it('hands over a full conversation too, and forgets to wait when a person has to decide', () => {
    const full = { ...running, claim: nothing, contextFull: true };
    expect(step(slow, begun, stop, full)[0]).toMatchObject({ kind: 'pause', request: 'context-full', waiting: true });
    const [, waiting] = step(slow, begun, stop, { ...running, claim });
    const [, blocked] = step(slow, waiting, stop, { ...running, claim: { made: null, blocked: 'which key?' } });
    const [answered] = step(slow, blocked, { kind: 'user-spoke' });
    expect(answered).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(answered).not.toHaveProperty('waiting');
  });

  it('begins a new row when the user began the turn', () => {
    const row = { ...running, claim: nothing, sentBack: false, repliesInRowMax: 2 };
    expect(step(slow, { ...begun, repliesInRow: 2 }, stop, row)[1]).toMatchObject({ repliesInRow: 1 });
  });

  it('keeps a message of the user for the prompt that can carry it', () => {
    const [, steered] = step(slow, begun, { kind: 'steering-given', text: 'in blue' });
    const [, waiting] = step(slow, steered, stop, { ...running, claim });
    const [, judged] = step(slow, waiting, stop, { checks: [aResult('slow', 'failed')], claim: nothing });
    expect(promptOf(slow, judged)).toContain('in blue');
  });

  it('does not wait past the time that was allowed', () => {
    const late = { ...begun, limits: { ...begun.limits, durationMaxMs: 4 } };
    expect(step(slow, late, stop, { ...running, claim: nothing })[0]).toMatchObject({
      kind: 'halt',
      guard: 'duration-max',
    });
  });
});

describe('the same stop reported twice', () => {
  const again: Event = { ...stop, mark: { messageHash: 'same words' } };
  const at = (ms: number, reporterBeganMs?: number): Partial<Evidence> => ({
    clock: aClock(ms),
    claim: nothing,
    ...(reporterBeganMs === undefined ? {} : { reporterBeganMs }),
  });
  const duplicate = { kind: 'abstain', because: 'duplicate' };
  const [first, next] = step(spec, working, again, at(10_000, 9960));

  it('is one when its second report began before the decision, however late it comes', () => {
    expect(first).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(step(spec, next, again, at(10_003, 9961))[0]).toEqual(duplicate);
    expect(step(spec, next, again, at(10_003, 10_000))[0]).toEqual(duplicate);
    expect(step(spec, next, again, at(900_000, 9999))[0]).toEqual(duplicate);
  });

  it('is another when its report began after the decision, however soon', () => {
    expect(step(spec, next, again, at(10_001, 10_001))[0]).toMatchObject({ kind: 'continue', iteration: 3 });
  });

  it('is another after a reboot: nothing says that it is the same', () => {
    const rebooted = { ...at(10_900, 10_899), clock: { ...aClock(10_900), boot: 'another' } };
    expect(step(spec, next, again, rebooted)[0]).toMatchObject({ kind: 'continue' });
  });

  it('is measured by the decision about the last turn, not by what happened since', () => {
    const [, steered] = step(spec, next, { kind: 'steering-given', text: 'in blue' }, at(20_000));
    expect(step(spec, steered, again, at(20_005, 19_990))[0]).toMatchObject({ kind: 'continue', iteration: 3 });
    expect(step(spec, steered, again, at(20_005, 9999))[0]).toEqual(duplicate);
  });

  it('is looked up only when the words are the same, and the host has no name for it', () => {
    const other: Event = { ...stop, mark: { messageHash: 'other words' } };
    expect([again, other, stop].map((event) => repeatsLastTurn(next, event))).toEqual([true, false, false]);
    expect(repeatsLastTurn(working, again)).toBe(false);
    const named = { ...next, lastTurn: { messageHash: 'same words', stop: '12:00' } };
    expect(repeatsLastTurn(named, { ...stop, mark: { messageHash: 'same words', stop: '12:01' } })).toBe(false);
    expect(repeatsLastTurn(named, again)).toBe(true);
  });

  it('is known by its name where the host gives it one, whatever was said and whenever it comes', () => {
    const named = (name: string, messageHash = 'same words'): Event => ({ ...stop, mark: { messageHash, stop: name } });
    const [, after] = step(spec, working, named('12:00'), at(10_000, 9960));
    expect(step(spec, after, named('12:00'), at(10_100, 10_050))[0]).toEqual(duplicate);
    expect(step(spec, after, named('12:00', 'later words'), at(90_000, 89_000))[0]).toEqual(duplicate);
    expect(step(spec, after, named('12:01'), at(10_001, 9961))[0]).toMatchObject({ kind: 'continue', iteration: 3 });
  });

  it('is recognised by the transcript and the time where nobody knows when a report began, as in older journals', () => {
    const old: Event = { ...stop, mark: { messageHash: 'same words', transcriptBytes: 7 } };
    const [, after] = step(spec, working, old, at(10_000));
    const before = { ...after, lastTurn: { messageHash: 'same words', transcriptBytes: 7 } };
    for (const state of [after, before]) {
      expect(step(spec, state, old, at(10_900))[0]).toEqual(duplicate);
      expect(step(spec, state, old, at(13_000))[0]).toMatchObject({ kind: 'continue', iteration: 3 });
      const grown: Event = { ...stop, mark: { messageHash: 'same words', transcriptBytes: 8 } };
      expect(step(spec, state, grown, at(10_900))[0]).toMatchObject({ kind: 'continue', iteration: 3 });
    }
  });

  it('is counted once, and the limit is enforced exactly, whatever number of hooks reports each stop in whatever order', () => {
    const hook = fc.record({ lateMs: fc.nat(30), tookMs: fc.integer({ min: 31, max: 5000 }) });
    const stops = fc.array(fc.record({ hooks: fc.array(hook, { minLength: 1, maxLength: 4 }), pauseMs: fc.nat(3) }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(stops, fc.integer({ min: 1, max: 8 }), (given, iterationsMax) => {
        const limits = { ...spec.limits, iterationsMax, noProgressMax: 'unlimited' as const };
        const asked = { ...spec, limits };
        let state: State = { ...working, limits };
        let now = 1000;
        for (const { hooks, pauseMs } of given) {
          // All are started before the first one has an answer; the host continues when the last one has.
          const began = hooks.map(({ lateMs, tookMs }) => ({ beganMs: now + lateMs, ms: now + lateMs + tookMs }));
          for (const { beganMs, ms } of began.toSorted((a, b) => a.ms - b.ms))
            [, state] = step(asked, state, again, at(ms, beganMs));
          now = Math.max(...began.map(({ ms }) => ms)) + 1 + pauseMs;
        }
        expect(state.counted).toBe(Math.min(given.length, iterationsMax));
        expect(state.status).toBe(given.length >= iterationsMax ? 'halted' : 'running');
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { PauseCause, Spec, State } from './loop.ts';
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

  it.each(['aborted', 'blocked', 'trouble', 'usage-limit', 'handed-over'] as const)(
    'goes on with a loop that is paused: %s',
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

describe('a session comes back', () => {
  it('runs the open iteration again under its own number, as a fault, and counts no time of the absence', () => {
    const before = { ...working, counted: 3, runningMs: 7000 };
    const [decision, next] = step(spec, before, { kind: 'session-resumed' }, { clock: aClock(90_000) });
    expect(decision).toMatchObject({ kind: 'continue', iteration: 4, rerun: true });
    expect(next).toMatchObject({ counted: 3, faults: 1, faultsInRow: 1, phase: 'working', runningMs: 7000 });
    expect(next.runningSince).toEqual(aClock(90_000));
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

  it('completes rather than hands over', () => {
    const evidence = { claim: { made: 'DONE', blocked: null }, sentBack: true, repliesInRowMax: 0 };
    expect(step(spec, working, stop, evidence)[0]).toMatchObject({ kind: 'complete' });
  });

  it('hands over when the conversation has no room left', () => {
    const evidence = { claim: nothing, contextFull: true };
    expect(step(spec, working, stop, evidence)[0]).toMatchObject({ kind: 'pause', request: 'context-full' });
  });

  it('lets another driver go on under the same counters', () => {
    const agent = { kind: 'command', command: 'agent' } as const;
    const [decision, next] = step(spec, { ...working, counted: 4 }, { kind: 'driver-changed', agent });
    expect(decision).toEqual({ kind: 'record' });
    expect(next).toMatchObject({ counted: 4, phase: 'ready', session: null, edits: { driver: 'outer', agent } });
    expect(promptOf(spec, next)).toContain('Earlier iterations worked on it');
    // Stops of the old session are a stranger's from now on.
    const worker = { id: 'w1', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
    const [lease, leased] = step(spec, next, { kind: 'worker-leased', worker }, { holderAlive: false });
    expect(lease.kind).toBe('record');
    expect(step(spec, { ...leased, phase: 'working' }, stop)[0]).toMatchObject({ because: 'not-awaited' });
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

  it('does not wait past the time that was allowed', () => {
    const late = { ...begun, limits: { ...begun.limits, durationMaxMs: 4 } };
    expect(step(slow, late, stop, { ...running, claim: nothing })[0]).toMatchObject({
      kind: 'halt',
      guard: 'duration-max',
    });
  });
});

describe('the same stop reported twice', () => {
  const again: Event = { ...stop, mark: { messageHash: 'same words', transcriptBytes: 7 } };

  it('is one event when both come at once, and two when the transcript merely did not grow', () => {
    const [first, next] = step(spec, working, again, { clock: aClock(10_000), claim: nothing });
    expect(first).toMatchObject({ kind: 'continue', iteration: 2 });
    const [twin] = step(spec, next, again, { clock: aClock(10_900), claim: nothing });
    expect(twin).toEqual({ kind: 'abstain', because: 'duplicate' });
    const [later] = step(spec, next, again, { clock: aClock(13_000), claim: nothing });
    expect(later).toMatchObject({ kind: 'continue', iteration: 3 });
    // Nothing says that it is the same after a reboot.
    const rebooted = { ...aClock(10_900), boot: 'another' };
    expect(step(spec, next, again, { clock: rebooted, claim: nothing })[0]).toMatchObject({ kind: 'continue' });
  });
});

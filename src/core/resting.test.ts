import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Event, Failure } from './event.ts';
import type { Evidence } from './evidence.ts';
import { DEFAULT_LIMITS, type State } from './loop.ts';

const spec = aSpec({ driver: 'session' });
const working = aState({
  phase: 'working',
  session: { host: 'claude-code', id: 's' },
  baseline: [],
  runningSince: aClock(1000),
});
const LIMIT_ENDS = aClock(60_000).wallMs;
const stop: Event = { kind: 'turn-ended', iteration: null, worker: null };
const failed = (failure: Omit<Failure, 'detail'>): Event => {
  return { kind: 'turn-failed', failure: { ...failure, detail: 'why' }, iteration: null, worker: null };
};

function step(state: State, event: Event, ms: number, facts: Partial<Evidence> = {}): [Decision, State] {
  const evidence = { clock: aClock(ms), ...facts };
  const decision = decide(spec, state, event, evidence);
  return [
    decision,
    decision.kind === 'abstain' ? state : advance(spec, state, { event, evidence, decision, at: 'now' }),
  ];
}

describe('a session in which nobody works', () => {
  const [, rested] = step(working, failed({ class: 'transient' }), 3000, { rests: true });

  it('uses up no running time after a failed turn, until the turn is begun again', () => {
    expect(rested).toMatchObject({
      status: 'running',
      resting: { retryAt: aClock(4000).wallMs },
      runningMs: 2000,
      runningSince: null,
    });
    const [, steered] = step(rested, { kind: 'steering-given', text: 'be quick' }, 50_000);
    expect(steered).toMatchObject({ resting: { retryAt: aClock(4000).wallMs }, runningMs: 2000 });
    const [decision, woken] = step(steered, { kind: 'wait-ended' }, 90_000);
    expect(decision).toEqual({ kind: 'record' });
    expect(woken).not.toHaveProperty('resting');
    expect(step(woken, stop, 91_000)[1].runningMs).toBe(3000);
  });

  it.each([{ kind: 'user-spoke' }, { kind: 'session-resumed' }, stop] as const)('is over with $kind', (event) => {
    const [, next] = step(rested, event, 90_000);
    expect(next).not.toHaveProperty('resting');
    expect(next.runningMs).toBe(2000);
  });

  it('is woken once: a second process that waited finds nothing to do', () => {
    const [, woken] = step(rested, { kind: 'wait-ended' }, 4000);
    expect(step(woken, { kind: 'wait-ended' }, 4000)[0]).toEqual({ kind: 'abstain', because: 'not-awaited' });
  });

  it('decides old entries, which do not say so, as before', () => {
    const [, old] = step(working, failed({ class: 'transient' }), 3000);
    expect(old).not.toHaveProperty('resting');
    expect(step(old, stop, 9000)[1].runningMs).toBe(8000);
  });

  it('counts until the agent was last at work, when the user writes after Esc and a while', () => {
    const spoke = { kind: 'user-spoke' } as const;
    const [, next] = step(working, spoke, 25_000, { idleMs: 22_000 });
    expect(next.runningMs).toBe(2000);
    expect(step(next, stop, 26_000)[1].runningMs).toBe(3000);
    expect(step(working, spoke, 25_000, { idleMs: 900_000 })[1].runningMs).toBe(0);
    expect(step(working, spoke, 25_000)[1].runningMs).toBe(24_000);
  });
});

describe('a usage limit in a session', () => {
  const [decision, paused] = step(working, failed({ class: 'usage-limit', resumeAt: LIMIT_ENDS }), 3000, {
    rests: true,
  });

  it('pauses the loop without a fault, an iteration or running time', () => {
    expect(decision).toEqual({ kind: 'pause', cause: 'usage-limit', resumeAt: LIMIT_ENDS });
    expect(paused).toMatchObject({ status: 'paused', faults: 0, counted: 0, runningMs: 2000, runningSince: null });
    expect(paused).not.toHaveProperty('resting');
  });

  it('is over at its time, or when the agent is seen at work', () => {
    expect(step(paused, { kind: 'wait-ended' }, 50_000)[0]).toEqual({ kind: 'abstain', because: 'wait-not-over' });
    const [over, next] = step(paused, { kind: 'wait-ended' }, 61_000);
    expect(over).toMatchObject({ kind: 'continue', iteration: 1, rerun: true });
    expect(next).toMatchObject({ status: 'running', phase: 'working', runningMs: 2000 });
    const early = step(paused, { kind: 'wait-ended', because: 'agent-works' }, 50_000);
    expect(early[0]).toMatchObject({ kind: 'continue' });
  });
});

describe('trouble of the service', () => {
  const trouble = failed({ class: 'transient' });
  const patient = { rests: true, waitsOut: true } as const;

  it('is waited out for more than ten minutes, before the third fault in a row halts', () => {
    let state: State = { ...working, limits: { ...DEFAULT_LIMITS, faultsInRowMax: 3 } };
    const seen: [delayMs: number, faults: number][] = [];
    for (let failure = 0; failure < 7; failure++) {
      const [next, after] = step(state, trouble, 500, patient);
      if (next.kind !== 'continue') throw new Error(next.kind);
      state = after;
      seen.push([next.delayMs, after.faultsInRow]);
    }
    expect(seen).toEqual([
      [5000, 0],
      [15_000, 0],
      [45_000, 0],
      [135_000, 0],
      [300_000, 0],
      [300_000, 1],
      [300_000, 2],
    ]);
    const shortestMs = seen.reduce((sum, [delayMs]) => sum + delayMs * 0.75, 0);
    expect(shortestMs).toBeGreaterThan(10 * 60_000);
    expect(step(state, trouble, 500, patient)[0]).toMatchObject({ kind: 'halt', guard: 'faults-in-row' });
  });

  it('shares its tries with too many requests, and begins anew after a turn that ended or a resume', () => {
    const [, once] = step(working, trouble, 500, patient);
    expect(step(once, failed({ class: 'rate-limit' }), 500)[0]).toMatchObject({ delayMs: 30_000 });
    expect(step(once, stop, 900)[1]).not.toHaveProperty('waitedOutInRow');
    const [, paused] = step(once, { kind: 'pause-requested' }, 900);
    expect(step(paused, { kind: 'resume-requested' }, 900)[1]).not.toHaveProperty('waitedOutInRow');
  });

  it('stops at the maximum duration', () => {
    const late = { ...working, limits: { ...DEFAULT_LIMITS, durationMaxMs: 2000 } };
    expect(step(late, trouble, 3000, patient)[0]).toMatchObject({ kind: 'halt', guard: 'duration-max' });
  });
});

describe('too many requests, and nobody says until when', () => {
  const limited = failed({ class: 'rate-limit' });

  it('waits longer each time, up to minutes, before it counts as a fault', () => {
    let state: State = { ...working, limits: { ...DEFAULT_LIMITS, faultsInRowMax: 3 } };
    const seen: [delayMs: number, faults: number][] = [];
    for (let failure = 0; failure < 7; failure++) {
      const [next, after] = step(state, limited, 500, { rests: true });
      if (next.kind !== 'continue') throw new Error(next.kind);
      state = after;
      seen.push([next.delayMs, after.faultsInRow]);
    }
    expect(seen).toEqual([
      [15_000, 0],
      [30_000, 0],
      [60_000, 0],
      [120_000, 0],
      [240_000, 0],
      [300_000, 1],
      [300_000, 2],
    ]);
    expect(step(state, limited, 500)[0]).toMatchObject({ kind: 'halt', guard: 'faults-in-row' });
  });

  it('is spread by the clock of the failure, so that a replay computes the same', () => {
    const delays = [0, 250, 999]
      .map((ms) => step(working, limited, ms)[0])
      .map((next) => next.kind === 'continue' && next.delayMs);
    expect(delays).toEqual([11_250, 13_125, 18_743]);
  });

  it('begins anew after a turn that ended', () => {
    const [, once] = step(working, limited, 500);
    expect(once.waitedOutInRow).toBe(1);
    expect(step(once, stop, 900)[1]).not.toHaveProperty('waitedOutInRow');
  });

  it('is an ordinary fault where a document counts the tries', () => {
    const [next, after] = step(working, failed({ class: 'rate-limit', triesMax: 2 }), 500);
    expect(next).toMatchObject({ kind: 'continue', rerun: true });
    expect(after.faultsInRow).toBe(1);
    expect(step(after, failed({ class: 'rate-limit', triesMax: 2 }), 500)[0]).toMatchObject({ cause: 'failed' });
  });
});

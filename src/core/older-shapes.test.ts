import { describe, expect, it } from 'vitest';
import { aCheck, aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { continuing } from './decide-parts.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import { guardHit, limitsBlind } from './guards.ts';
import type { Entry } from './journal.ts';
import { foldEntry } from './journal.ts';
import type { Edits, Limits, Spec } from './loop.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMING, limitsWith } from './loop.ts';
import { completeEntry } from './older-shapes.ts';
import { isStalled, NO_PROGRESS_YET, strategyFor } from './progress.ts';

/** As written by a version that does not know that field. */
function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function entryOf(event: object): Entry {
  const entry = { v: 1, revision: 1, prev: null, at: '', evidence: { clock: aClock() }, decision: { kind: 'record' } };
  // Through JSON, like everything that is read, so that missing fields are really missing.
  return JSON.parse(JSON.stringify({ ...entry, event }));
}

function started(spec: object): Event & { kind: 'loop-started' } {
  const { event } = completeEntry(
    entryOf({ kind: 'loop-started', loop: 'l', spec, session: null, cwd: '/', machine: 'm' }),
  );
  if (event.kind !== 'loop-started') throw new Error(event.kind);
  return event;
}

function edited(edits: object): Edits {
  const { event } = completeEntry(entryOf({ kind: 'file-edited', edits, limits: {}, counted: 0, gone: false }));
  if (event.kind !== 'file-edited') throw new Error(event.kind);
  return event.edits;
}

describe('a journal of an older shape', () => {
  const whole: Spec = aSpec({ goal: '' });

  it.each(Object.keys(whole))('a spec without %s gets the default', (key) => {
    expect(started(without(whole, key)).spec).toEqual(whole);
  });

  it.each(Object.keys(whole.limits))('a spec without the limit %s gets the default, and so does the loop', (key) => {
    const spec = { ...whole, limits: without(whole.limits, key) };
    expect(started(spec).spec.limits).toEqual(DEFAULT_LIMITS);
    expect(foldEntry(null, completeEntry(entryOf(started(spec)))).state.limits).toEqual(DEFAULT_LIMITS);
  });

  it.each([null, 'none', {}])('a limit of %j is not a limit', (odd) => {
    expect(started({ ...whole, limits: { ...whole.limits, costMaxUsd: odd } }).spec.limits).toEqual(DEFAULT_LIMITS);
  });

  it.each(Object.keys(whole.timing))('a spec, and an edit, without the time %s gets the default', (key) => {
    expect(started({ ...whole, timing: without(whole.timing, key) }).spec.timing).toEqual(DEFAULT_TIMING);
    expect(edited({ timing: without(whole.timing, key) })).toEqual({ timing: DEFAULT_TIMING });
  });

  it.each(Object.keys(whole.claim))('a spec, and an edit, without %s of the claim gets the default', (key) => {
    expect(started({ ...whole, claim: without(whole.claim, key) }).spec.claim).toEqual(whole.claim);
    expect(edited({ claim: without(whole.claim, key) })).toEqual({ claim: whole.claim });
  });

  it.each(['timeoutMs', 'holdout'])('a check without %s gets the default', (key) => {
    const check = aCheck('npm test');
    expect(started({ ...whole, checks: [without(check, key)] }).spec.checks).toEqual([check]);
    expect(edited({ checks: [without(check, key)] })).toEqual({ checks: [check] });
  });

  it('what is there stays, also what this version does not know', () => {
    const spec = { ...aSpec({ tracker: 'notes.md', observe: true, goal: 'x' }), later: 1 };
    expect(started(spec).spec).toEqual(spec);
    expect(edited({ goal: 'y', finish: { kind: 'claim' } })).toEqual({ goal: 'y', finish: { kind: 'claim' } });
  });
});

describe('limits', () => {
  const progress = { ...NO_PROGRESS_YET, stalledHalves: 1000 };
  const spent = { counted: 1e6, runningMs: 1e12, usage: { costUsd: 1e6, tokens: 1e12 }, faultsInRow: 1e3, progress };
  const unlimited = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, 'unlimited']));

  it.each(
    Object.keys(DEFAULT_LIMITS).flatMap((name) => [undefined, null, 'none', Number.NaN].map((odd) => [name, odd])),
  )('%s of %s never halts a loop and never blinds it', (name, odd) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What the type forbids is the point.
    const limits = { ...unlimited, [String(name)]: odd } as unknown as Limits;
    expect(guardHit(limits, spent)).toBeNull();
    expect(limitsBlind(limits, { costUsd: 'unknown', tokens: 'unknown' })).toBe(false);
    expect(strategyFor(progress, limits.noProgressMax)).toBe('steady');
    expect(isStalled(progress, limits.noProgressMax)).toBe(false);
    const next = { unmet: [], delayMs: 0, rerun: false, spent };
    expect(continuing(aState({ limits }), next)).toMatchObject({ strategy: 'steady', last: false });
  });

  it('a change that is not a limit leaves the old one in force', () => {
    const changes = JSON.parse('{"iterationsMax":null,"tokensMax":"many","costMaxUsd":5,"durationMaxMs":"unlimited"}');
    expect(limitsWith(DEFAULT_LIMITS, changes)).toEqual({
      ...DEFAULT_LIMITS,
      costMaxUsd: 5,
      durationMaxMs: 'unlimited',
    });
    expect(limitsWith(DEFAULT_LIMITS, undefined)).toEqual(DEFAULT_LIMITS);
  });

  it('an event whose limits are not limits changes none', () => {
    const paused = aState({ status: 'paused', pause: { cause: 'user' }, baseline: [], counted: 1 });
    const limits = JSON.parse('{"iterationsMax":null,"noProgressMax":null}');
    const evidence = { clock: aClock(1) };
    for (const event of [
      { kind: 'resume-requested', limits },
      { kind: 'file-edited', edits: {}, limits, counted: 1, gone: false },
    ] as const) {
      const decision = decide(aSpec(), paused, event, evidence);
      expect(decision.kind).toBe(event.kind === 'resume-requested' ? 'continue' : 'record');
      expect(advance(aSpec(), paused, { event, evidence, decision, at: '' }).limits).toEqual(DEFAULT_LIMITS);
    }
    const used = { ...paused, counted: 20 };
    expect(decide(aSpec(), used, { kind: 'resume-requested', limits }, evidence)).toEqual({
      kind: 'abstain',
      because: 'limit-not-raised',
    });
  });
});

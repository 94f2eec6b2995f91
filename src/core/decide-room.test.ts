import { describe, expect, it } from 'vitest';
import { aCheck, aResult } from '../../test/support/a-loop.ts';
import { after, ended, green, spec as bare, working as bareWorking } from '../../test/support/a-turn.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import { promptOf } from './prompt.ts';
import type { RoomBaseline, RoomFacts, RoomRun } from './room.ts';

const ROOM = { keep: [], free: [] };
const kept: RoomBaseline & { kind: 'kept' } = {
  kind: 'kept',
  files: 10,
  judgeFiles: 2,
  judgeHash: 'j',
  fits: [{ name: 'unit', fit: true, tests: { ran: 3, failed: 1, skipped: 0 } }],
};
const spec: Spec = { ...bare, room: ROOM };
const working: State = { ...bareWorking, room: kept };
const tests = { ran: 3, failed: 0, skipped: 0 };
const proven: RoomFacts & { kind: 'judged' } = {
  kind: 'judged',
  work: 'w'.repeat(40),
  runs: [{ name: 'unit', judged: aResult('unit', 'passed', { tests }) }],
  changes: [],
  signs: [],
};
const changed = { path: 'test/a.test.js', change: 'modified' } as const;
const cheated: RoomFacts = {
  ...proven,
  runs: [
    {
      name: 'unit',
      judged: aResult('unit', 'failed', { tail: 'expected 3, got 4' }),
      asLeft: aResult('unit', 'passed', { tests }),
    },
  ],
  changes: [changed],
};
const sign = {
  code: 'looks-for-tests',
  path: 'src/a.js',
  line: 3,
  text: 'if (process.env.NODE_TEST_CONTEXT)',
} as const;
const signed: RoomFacts = { ...proven, signs: [sign] };

const finish = (room: RoomFacts, state: State = working, asked: Spec = spec): Decision =>
  decide(asked, state, { ...ended, iteration: state.counted + 1 }, { ...green, room });
const next = (room: RoomFacts, state: State = working): State => {
  const evidence: Evidence = { ...green, room };
  const settled = after(state, { ...ended, iteration: state.counted + 1 }, evidence, spec);
  return { ...settled, phase: 'working' };
};

describe('a finish that the clean room looks at', () => {
  it('completes at the level of the room when all checks pass there', () => {
    expect(finish(proven)).toMatchObject({ kind: 'complete', verified: true, level: 'room' });
  });

  it('completes at the level of the work tree where no room could be made', () => {
    const none: RoomBaseline = { kind: 'none', why: 'git-missing', detail: '' };
    expect(decide(spec, { ...working, room: none }, ended, green)).toMatchObject({
      kind: 'complete',
      verified: true,
      level: 'tree',
    });
  });

  it('names the level only where the loop has a room', () => {
    expect(decide(bare, bareWorking, ended, green)).not.toHaveProperty('level');
  });

  it('sends the agent back with the files its success rests on', () => {
    expect(finish(cheated)).toMatchObject({
      kind: 'continue',
      unmet: [
        { kind: 'room', name: 'unit', result: 'failed', doubt: 'fails' },
        { kind: 'judge-file', ...changed },
      ],
    });
    const prompt = promptOf(spec, next(cheated));
    expect(prompt).toContain('`test/a.test.js`: modified');
    expect(prompt).toContain('expected 3, got 4');
  });

  it('asks a person when the agent stands by it, about exactly this work', () => {
    const decision = finish(cheated, next(cheated));
    expect(decision).toMatchObject({ kind: 'pause', cause: 'review', request: 'work:wwwwwwwwwwww', work: proven.work });
  });

  it('sends it back again for a file that was not reported before', () => {
    const other = { ...cheated, changes: [{ path: 'vitest.config.js', change: 'added' as const }] };
    expect(finish(other, next(cheated)).kind).toBe('continue');
  });

  it('asks a person instead of halting when no iteration is left', () => {
    const decision = finish(cheated, { ...working, counted: 19 });
    expect(decision).toMatchObject({ kind: 'pause', cause: 'review' });
  });

  it('sends the agent back once for a sign, and then asks a person', () => {
    expect(finish(signed)).toMatchObject({ kind: 'continue', unmet: [{ kind: 'sign', ...sign }] });
    expect(promptOf(spec, next(signed))).toContain('`src/a.js:3`');
    expect(finish(signed, next(signed))).toMatchObject({ kind: 'pause', cause: 'review' });
  });

  it('leaves changes of tests alone when the room passes without them', () => {
    const honest = { ...proven, changes: [changed], signs: [{ ...sign, code: 'tests-removed' as const }] };
    expect(finish(honest)).toMatchObject({ kind: 'complete', level: 'room' });
  });

  it('weighs a change that could not be put back', () => {
    const change = { path: 'node_modules/vitest/run.js', change: 'modified', stands: true } as const;
    expect(finish({ ...proven, changes: [change] })).toMatchObject({ unmet: [{ kind: 'judge-file', ...change }] });
  });

  it('weighs changes of tests where a check runs in the work tree only', () => {
    const unfit: RoomBaseline = { ...kept, fits: [{ name: 'unit', fit: false }] };
    const room: RoomFacts = { ...proven, runs: [], changes: [changed] };
    expect(finish(room, { ...working, room: unfit })).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'judge-file' }],
    });
    expect(finish({ ...room, changes: [] }, { ...working, room: unfit })).toMatchObject({
      kind: 'complete',
      level: 'tree',
    });
  });

  it('leaves the script of a check alone that the agent was allowed to write', () => {
    const unfit: RoomBaseline = { ...kept, fits: [{ name: 'unit', fit: false }] };
    const baseline = [aResult('unit', 'unknown', { unknown: 'not-runnable' })];
    const room: RoomFacts = { ...proven, runs: [], changes: [{ path: 'check.sh', change: 'added' }] };
    expect(finish(room, { ...working, room: unfit, baseline })).toMatchObject({ kind: 'complete', level: 'tree' });
  });

  it('proves nothing when the room that was there at the start is lost', () => {
    const lost: RoomFacts = { kind: 'lost', why: 'baseline-lost', detail: '' };
    expect(finish(lost)).toMatchObject({ kind: 'continue', unmet: [{ kind: 'room-lost' }] });
    expect(finish(lost, next(lost))).toMatchObject({ kind: 'pause', cause: 'review' });
  });

  it('waits for a room that takes longer than the hook', () => {
    const session: Spec = { ...spec, driver: 'session' };
    expect(finish({ kind: 'running', call: 'tireless' }, working, session)).toMatchObject({
      kind: 'continue',
      waiting: true,
      iteration: 1,
    });
  });
});

describe('a hold-out check, which runs only in the clean room', () => {
  const hidden: Spec = { ...spec, checks: [...spec.checks, aCheck('secret', { holdout: true })] };
  const seen = (run: Partial<RoomRun>, facts: Partial<RoomFacts & { kind: 'judged' }> = {}): Evidence => {
    const judged = aResult('secret', 'failed', { tail: 'wanted 9' });
    const ran: RoomRun = { name: 'secret', judged, ...run };
    const room = { ...proven, runs: [...proven.runs, ran], ...facts };
    return { ...green, checks: [...(green.checks ?? []), { ...ran.judged, holdout: true }], room };
  };
  const failing = seen({});
  const decision = (evidence: Evidence, state: State = working): Decision =>
    decide(hidden, state, { ...ended, iteration: state.counted + 1 }, evidence);
  const later = (evidence: Evidence, state: State = working): State => {
    const settled = after(state, { ...ended, iteration: state.counted + 1 }, evidence, hidden);
    return { ...settled, phase: 'working' };
  };
  const unmet = [{ kind: 'check', name: 'secret', result: 'failed', holdout: true }];

  it('fails like any other check: the agent continues, as often as the limits allow', () => {
    expect(decision(failing)).toMatchObject({ kind: 'continue', unmet });
    expect(decision(failing, later(failing))).toMatchObject({ kind: 'continue', unmet });
    expect(decision(failing, { ...working, counted: 19 })).toMatchObject({ kind: 'halt', guard: 'iterations-max' });
    expect(decision(seen({ judged: aResult('secret', 'unknown') }))).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'check', name: 'secret', result: 'unknown', holdout: true }],
    });
  });

  it('tells the agent that a hidden check fails, and nothing else about it', () => {
    const prompt = promptOf(hidden, later(failing));
    expect(prompt).toContain('a hidden check fails');
    expect(prompt).not.toContain('secret');
    expect(prompt).not.toContain('wanted 9');
  });

  it('is open beside the doubts of the room, and no person is asked', () => {
    const both = seen({}, { signs: [sign] });
    expect(decision(both)).toMatchObject({ kind: 'continue', unmet: [...unmet, { kind: 'sign', ...sign }] });
    expect(decision(both, later(both)).kind).toBe('continue');
    expect(promptOf(hidden, later(both))).toContain('a hidden check fails');
  });

  it('is doubted when it passes only with the files of the judge that the agent changed', () => {
    const resting = seen({ asLeft: aResult('secret', 'passed') }, { changes: [changed] });
    expect(decision(resting)).toMatchObject({
      kind: 'continue',
      unmet: [
        { kind: 'room', name: 'secret', doubt: 'fails', holdout: true },
        { kind: 'judge-file', ...changed },
      ],
    });
    expect(decision(resting, later(resting))).toMatchObject({ kind: 'pause', cause: 'review' });
    expect(promptOf(hidden, later(resting))).not.toContain('secret');
  });

  it('is doubted when it passes with fewer tests than at the start', () => {
    const counted = { ...kept, fits: [...kept.fits, { name: 'secret', fit: true, tests }] };
    const few = seen({ judged: aResult('secret', 'passed', { tests: { ...tests, ran: 1 } }) });
    expect(decision(few, { ...working, room: counted })).toMatchObject({
      kind: 'continue',
      unmet: [{ kind: 'room', name: 'secret', doubt: 'fewer-tests', holdout: true }],
    });
  });
});

describe('a person who accepts work that the room doubts', () => {
  const paused = { ...next(cheated, next(cheated)), phase: 'ready' as const };
  const given = { kind: 'approval-given', request: 'work:wwwwwwwwwwww' } as const;

  it('completes it, by approval', () => {
    const { clock } = green;
    expect(decide(spec, paused, given, { clock, work: proven.work })).toMatchObject({
      kind: 'complete',
      verified: true,
      level: 'approval',
      proofs: [{ kind: 'check' }, { kind: 'approval', name: given.request }],
    });
  });

  it('is not taken at their word when the files have changed since', () => {
    const { clock } = green;
    expect(decide(spec, paused, given, { clock, work: 'x'.repeat(40) })).toEqual({
      kind: 'abstain',
      because: 'work-changed',
    });
    expect(decide(spec, paused, given, { clock, work: null })).toMatchObject({ because: 'work-changed' });
  });

  it('sends the agent back with a refusal', () => {
    const refused = { kind: 'approval-refused', request: given.request, reason: 'no' } as const;
    expect(decide(spec, paused, refused, { clock: green.clock }).kind).toBe('continue');
  });
});

import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { CheckResult } from '../core/evidence.ts';
import type { RoomBaseline, RoomFacts } from '../core/room.ts';
import { gatherCopy, gatherFits, gatherRoom, gatherWork, holdoutsIn, settleCopy } from './gather-room.ts';
import type { Pipeline } from './pipeline.ts';
import { runSync } from './pipeline.ts';
import type { Effects, ProbeAnswer, ProbeBatch } from './ports.ts';

const spec = aSpec({
  checks: [aCheck('unit'), aCheck('port'), aCheck('secret', { holdout: true })],
  room: { keep: [], free: [] },
});
const kept: RoomBaseline = {
  kind: 'kept',
  files: 1,
  judgeFiles: 1,
  judgeHash: 'j',
  fits: [
    { name: 'unit', fit: true },
    { name: 'port', fit: false },
    { name: 'secret', fit: true, tests: { ran: 2, failed: 0, skipped: 0 } },
  ],
};
const judged: RoomFacts & { kind: 'judged' } = { kind: 'judged', work: 'w', runs: [], changes: [], signs: [] };

function ask<T>(pipeline: Pipeline<T>, answer?: ProbeAnswer): { readonly value: T; readonly asked: ProbeBatch[] } {
  const asked: ProbeBatch[] = [];
  const probe: Effects['probe'] = (batch) => {
    asked.push(batch);
    return answer === undefined ? [] : [answer];
  };
  return { value: runSync(pipeline, { probe } as Effects), asked };
}

describe('the clean room of a loop', () => {
  it('keeps the project at the start', () => {
    const { value, asked } = ask(gatherCopy(spec, aState()), { kind: 'room-baseline', baseline: kept });
    expect(value).toEqual(kept);
    expect(asked).toMatchObject([{ loop: 'a-loop', requests: [{ kind: 'room-copy' }] }]);
    expect(ask(gatherCopy(spec, aState())).value).toBeUndefined();
  });

  it('is tried with what the checks said at the start', () => {
    const asking = { copy: kept, results: [aResult('unit', 'failed')] };
    const { value, asked } = ask(gatherFits(spec, aState(), asking), { kind: 'room-baseline', baseline: kept });
    expect(value).toEqual({ roomBaseline: kept });
    expect(asked).toMatchObject([{ requests: [{ kind: 'room-baseline', ...asking }] }]);
    expect(ask(gatherFits(spec, aState(), asking)).value).toEqual({});
  });

  it('runs the checks that it suits, and only with a voucher of the journal', () => {
    const state = aState({ room: kept, vouchers: ['v1'] });
    const { value, asked } = ask(gatherRoom(spec, state), { kind: 'room', facts: judged });
    expect(value).toEqual(judged);
    expect(asked).toMatchObject([{ vouchers: ['v1'], requests: [{ kind: 'room', baseline: kept }] }]);
    const [request] = asked[0]?.requests ?? [];
    expect(request?.kind === 'room' && request.checks.map(({ name }) => name)).toEqual(['unit', 'secret']);
  });

  it('is lost, and never missing, when nobody answers', () => {
    expect(ask(gatherRoom(spec, aState({ room: kept }))).value).toEqual({ kind: 'lost', why: 'failed', detail: '' });
  });

  it('is not asked where the loop has none', () => {
    const none: RoomBaseline = { kind: 'none', why: 'git-missing', detail: '' };
    for (const [asked, state] of [
      [aSpec(), aState({ room: kept })],
      [spec, aState()],
      [spec, aState({ room: none })],
    ] as const)
      expect(ask(gatherRoom(asked, state))).toEqual({ value: undefined, asked: [] });
    expect(ask(gatherCopy(aSpec(), aState()))).toEqual({ value: undefined, asked: [] });
    expect(ask(gatherFits(spec, aState(), { copy: undefined, results: [] }))).toEqual({ value: {}, asked: [] });
    expect(ask(gatherFits(spec, aState(), { copy: none, results: [] })).value).toEqual({ roomBaseline: none });
  });
});

describe('a hold-out', () => {
  const room = (tests: { ran: number; failed: number; skipped: number }): RoomFacts => ({
    ...judged,
    runs: [
      { name: 'unit', judged: aResult('unit', 'passed') },
      { name: 'secret', judged: aResult('secret', 'passed', { tests }) },
    ],
  });

  it('answers what it answered in the room, by the number of its tests too', () => {
    const state = aState({ room: kept });
    expect(holdoutsIn(room({ ran: 2, failed: 0, skipped: 0 }), spec, state)).toMatchObject([
      { name: 'secret', result: 'passed', holdout: true },
    ]);
    expect(holdoutsIn(room({ ran: 1, failed: 0, skipped: 0 }), spec, state)).toMatchObject([{ result: 'unknown' }]);
  });

  it('answers nothing where the room did not judge', () => {
    expect(holdoutsIn(undefined, spec, aState())).toEqual([]);
    expect(holdoutsIn({ kind: 'lost', why: 'failed', detail: '' }, spec, aState())).toEqual([]);
  });
});

const COPY = { kind: 'kept', files: 2, judgeFiles: 1, judgeHash: 'h', fits: [] } as const;

describe('the work that a person was asked about', () => {
  const paused = aState({ status: 'paused', pause: { cause: 'review', work: 'old' } as never, room: COPY });

  it('is compared by its hash as it is now', () => {
    expect(ask(gatherWork(spec, paused), { kind: 'work', hash: 'new' }).value).toEqual({ work: 'new' });
    expect(ask(gatherWork(spec, paused)).value).toEqual({});
  });

  it('is not looked at when nobody was asked about any', () => {
    expect(ask(gatherWork(spec, aState()), { kind: 'work', hash: 'new' })).toEqual({ value: {}, asked: [] });
  });
});

const SPEC = aSpec({ checks: [aCheck('unit')], room: { keep: [], free: [] } });
const ON_TRIAL = { ...COPY, trial: { call: 'tireless', voucher: 'v' } };

describe('the room of a loop whose trial outlasted the start', () => {
  it('is waited for', () => {
    const { value, done } = gatherRoom(SPEC, aState({ room: ON_TRIAL })).next();
    expect({ value, done }).toEqual({ done: true, value: { kind: 'running', call: 'tireless', voucher: 'v' } });
  });

  it('is lost, and not given up, when it cannot be tried while the agent works', () => {
    const lack = { kind: 'none', why: 'no-space', detail: 'full' } as const;
    const { value, done } = gatherRoom(SPEC, aState({ room: ON_TRIAL }), lack).next();
    expect({ value, done }).toEqual({ done: true, value: { kind: 'lost', why: 'no-space', detail: 'full' } });
  });
});

describe('what the checks wrote into dependencies', () => {
  const failed: CheckResult = { name: 'unit', result: 'failed', durationMs: 1, tail: '' };
  const running: CheckResult = { ...failed, result: 'unknown', unknown: 'still-running' };

  it('is no change, once they have answered', () => {
    const steps = settleCopy(SPEC, aState(), { copy: COPY, results: [failed] });
    const { value } = steps.next();
    expect(value).toMatchObject({ input: [{ requests: [{ kind: 'room-copy', settles: COPY }] }] });
  });

  it('is not looked for when a check outlasted the hook: the agent works by then', () => {
    const { value, done } = settleCopy(SPEC, aState(), { copy: COPY, results: [running] }).next();
    expect({ value, done }).toEqual({ done: true, value: COPY });
  });
});

/** Checks that passed before the agent began: they show that nothing broke, and nothing about the goal. */
import { describe, expect, it } from 'vitest';
import { aCheck, aResult } from '../../test/support/a-loop.ts';
import { after, ended, green, spec as bare, working as bareWorking } from '../../test/support/a-turn.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import type { RoomBaseline, RoomFacts, RoomFit } from './room.ts';
import { verificationOf } from './verification.ts';

const spec: Spec = { ...bare, greenProvesNothing: true, room: { keep: [], free: [] } };
const kept = (...fits: RoomFit[]): RoomBaseline => ({
  kind: 'kept',
  files: 10,
  judgeFiles: 2,
  judgeHash: 'j',
  fits,
});
const wasGreen: State = {
  ...bareWorking,
  baseline: [aResult('unit', 'passed')],
  room: kept({ name: 'unit', fit: true, green: true }),
};
const passed = (...names: string[]): RoomFacts => ({
  kind: 'judged',
  work: 'w'.repeat(40),
  runs: names.map((name) => ({ name, judged: aResult(name, 'passed') })),
  changes: [],
  signs: [],
});
const claimed: Evidence = { ...green, room: passed('unit'), claim: { made: 'DONE', blocked: null } };
const finish = (state: State, evidence: Evidence = claimed, asked: Spec = spec): Decision =>
  decide(asked, state, ended, evidence);

describe('a finish that rests on checks which passed before the work', () => {
  it('is unverified, and says where nothing broke', () => {
    expect(finish(wasGreen)).toMatchObject({ kind: 'complete', verified: false, greenBefore: 'room' });
    expect(finish(wasGreen)).not.toHaveProperty('level');
    expect(finish({ ...wasGreen, room: kept({ name: 'unit', fit: false }) })).toMatchObject({ greenBefore: 'tree' });
  });

  it('is on record in the outcome', () => {
    expect(after(wasGreen, ended, claimed, spec).outcome).toEqual({
      kind: 'completed',
      verified: false,
      greenBefore: 'room',
    });
  });

  it('is verified by one check that did not pass before', () => {
    const asked: Spec = { ...spec, checks: [aCheck('unit'), aCheck('new')] };
    const room = kept({ name: 'unit', fit: true, green: true }, { name: 'new', fit: true });
    const state: State = { ...wasGreen, baseline: [aResult('unit', 'passed'), aResult('new', 'failed')], room };
    const both = { ...claimed, checks: [aResult('unit', 'passed'), aResult('new', 'passed')] };
    expect(finish(state, { ...both, room: passed('unit', 'new') }, asked)).toMatchObject({
      verified: true,
      level: 'room',
    });
  });

  it('is verified by a person', () => {
    const asked: Spec = { ...spec, approveFinish: true };
    const state: State = { ...wasGreen, approvals: ['finish'] };
    expect(finish(state, claimed, asked)).toMatchObject({ kind: 'complete', verified: true });
  });

  it('is verified by a hold-out that did not pass before, and not by one that did', () => {
    const asked: Spec = { ...spec, checks: [aCheck('unit'), aCheck('secret', { holdout: true })] };
    const both: Evidence = {
      ...claimed,
      checks: [aResult('unit', 'passed'), aResult('secret', 'passed', { holdout: true })],
      room: passed('unit', 'secret'),
    };
    const unit: RoomFit = { name: 'unit', fit: true, green: true };
    const red = { ...wasGreen, room: kept(unit, { name: 'secret', fit: true }) };
    const greenToo = { ...wasGreen, room: kept(unit, { name: 'secret', fit: true, green: true }) };
    expect(finish(red, both, asked)).toMatchObject({ verified: true });
    expect(finish(greenToo, both, asked)).toMatchObject({ verified: false, greenBefore: 'room' });
  });

  it('is unverified too when only the room knows that the check passed: it outlasted the hook of the start', () => {
    const state: State = { ...wasGreen, baseline: [aResult('unit', 'unknown')] };
    expect(finish(state)).toMatchObject({ verified: false, greenBefore: 'room' });
  });

  it('needs a claim as long as nobody knows whether the check passed before', () => {
    const late = [aResult('unit', 'unknown', { unknown: 'still-running' })];
    const { claim: _, ...silent } = claimed;
    const state: State = { ...wasGreen, baseline: late };
    expect(finish(state, silent)).toMatchObject({ kind: 'continue', unmet: [{ kind: 'claim' }] });
    expect(finish({ ...state, room: kept({ name: 'unit', fit: true }) })).toMatchObject({ verified: true });
    expect(finish(state, silent, { ...bare, room: { keep: [], free: [] } })).toMatchObject({ verified: true });
  });

  it('stays verified in a loop that was started without this rule', () => {
    expect(finish(wasGreen, claimed, { ...bare, room: { keep: [], free: [] } })).toMatchObject({ verified: true });
  });

  it('is not proven for `tireless verify` either', () => {
    const found = verificationOf({ spec, state: wasGreen }, passed('unit'), []);
    expect(found).toMatchObject({ proven: false, greenBefore: true });
    const wasRed: State = { ...bareWorking, room: kept({ name: 'unit', fit: true }) };
    expect(verificationOf({ spec, state: wasRed }, passed('unit'), [])).toMatchObject({ proven: true });
  });
});

/** `tireless verify`: what the clean room finds about some work, outside a decision. */
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Spec, State } from './loop.ts';
import type { RoomBaseline, RoomFacts } from './room.ts';
import type { Verification } from './verification.ts';
import { noRoomOf, unverified, verificationOf } from './verification.ts';

const before = { ran: 3, failed: 1, skipped: 0 };
const tests = { ran: 3, failed: 0, skipped: 0 };
const kept: RoomBaseline = {
  kind: 'kept',
  files: 10,
  judgeFiles: 2,
  judgeHash: 'j',
  fits: [{ name: 'unit', fit: true, tests: before }],
};
const spec: Spec = aSpec({ checks: [aCheck('unit')], room: { keep: [], free: [] } });
const state: State = aState({ room: kept });
const judged: RoomFacts & { kind: 'judged' } = {
  kind: 'judged',
  work: 'w'.repeat(40),
  runs: [{ name: 'unit', judged: aResult('unit', 'passed', { tests, tail: 'ok' }) }],
  changes: [],
  signs: [],
};
const verify = (room: RoomFacts, asked: Spec = spec): Verification => verificationOf({ spec: asked, state }, room, []);
const failed = aResult('unit', 'failed', { tests: before, tail: 'expected 3, got 4' });

describe('work that the clean room has judged', () => {
  it('is proven when every check passes there', () => {
    expect(verify(judged)).toEqual({
      proven: true,
      work: judged.work,
      checks: [
        { name: 'unit', holdout: false, where: 'room', result: 'passed', before, tests, durationMs: 100, tail: 'ok' },
      ],
      changes: [],
      signs: [],
    });
  });

  it('is not proven without any check', () => {
    expect(verify({ ...judged, runs: [] }, aSpec({ room: { keep: [], free: [] } })).proven).toBe(false);
  });

  it('is not proven by a check that was not run there', () => {
    const asked = aSpec({ checks: [aCheck('unit'), aCheck('e2e', { holdout: true })], room: { keep: [], free: [] } });
    const found = verify(judged, asked);
    expect(found.proven).toBe(false);
    expect(found.checks[1]).toEqual({
      name: 'e2e',
      holdout: true,
      where: 'none',
      result: 'unknown',
      durationMs: 0,
      tail: '',
    });
  });

  it('names what a success in the work tree rests on', () => {
    const changes = [{ path: 'test/a.test.js', change: 'modified' }] as const;
    const runs = [{ name: 'unit', judged: failed, asLeft: aResult('unit', 'passed', { tests }) }];
    const found = verify({ ...judged, runs, changes });
    expect(found).toMatchObject({ proven: false, changes });
    expect(found.checks).toMatchObject([{ result: 'failed', doubt: 'fails', restsOnChanges: true, tests: before }]);
  });

  it('does not say so of a check that fails with the files as they were left too', () => {
    const [check] = verify({ ...judged, runs: [{ name: 'unit', judged: failed, asLeft: failed }] }).checks;
    expect(check).not.toHaveProperty('restsOnChanges');
  });

  it('is not proven when too few tests ran', () => {
    const runs = [{ name: 'unit', judged: aResult('unit', 'passed', { tests: { ...tests, ran: 2 } }) }];
    const found = verify({ ...judged, runs });
    expect(found.proven).toBe(false);
    expect(found.checks).toMatchObject([{ result: 'unknown', doubt: 'fewer-tests' }]);
  });

  it('shows the numbers of the run with the added tests where that one counts', () => {
    const lacking = aResult('unit', 'failed', { tests: { ran: 3, failed: 0, skipped: 0 } });
    const withAdded = aResult('unit', 'passed', { tests: { ran: 5, failed: 0, skipped: 0 }, flaky: true });
    const found = verify({ ...judged, runs: [{ name: 'unit', judged: lacking, withAdded }] });
    expect(found.checks).toMatchObject([{ result: 'passed', tests: { ran: 5 }, flaky: true }]);
  });

  it('is not proven while a sign stands', () => {
    const signs = [{ code: 'exits-early', path: 'src/a.js', line: 1, text: 'process.exit(0)' }] as const;
    expect(verify({ ...judged, signs })).toMatchObject({ proven: false, signs });
  });

  it('takes the answer of a look at files, which needs no room', () => {
    const found = verificationOf({ spec, state }, judged, [aResult('unit', 'failed')]);
    expect(found.proven).toBe(false);
    expect(found.checks).toMatchObject([{ name: 'unit', where: 'files', result: 'failed' }]);
  });
});

describe('work without a clean room', () => {
  const nothing = { proven: false, work: null, changes: [], signs: [] };
  const notRun = { name: 'unit', holdout: false, where: 'none', result: 'unknown', durationMs: 0, tail: '' };

  it('is not proven, and says why', () => {
    const lost: RoomFacts = { kind: 'lost', why: 'no-space', detail: 'full' };
    expect(verify(lost)).toEqual({ ...nothing, checks: [notRun], lack: { why: 'no-space', detail: 'full' } });
    const running: RoomFacts = { kind: 'running', call: 'tireless' };
    expect(verify(running)).toEqual({ ...nothing, checks: [notRun], lack: { why: 'too-slow', detail: '' } });
    const lack = { why: 'no-baseline', detail: '' } as const;
    expect(unverified(spec, lack)).toEqual({ ...nothing, checks: [notRun], lack });
  });

  it('has none because the spec asks for none, the loop has not begun, or none could be made', () => {
    const none: RoomBaseline = { kind: 'none', why: 'git-missing', detail: 'no git' };
    expect(noRoomOf(aSpec(), state)).toEqual({ why: 'not-asked', detail: '' });
    expect(noRoomOf(spec, aState())).toEqual({ why: 'no-baseline', detail: '' });
    expect(noRoomOf(spec, aState({ room: none }))).toEqual({ why: 'git-missing', detail: 'no git' });
    expect(noRoomOf(spec, state)).toBeNull();
  });
});

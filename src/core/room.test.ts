import { describe, expect, it } from 'vitest';
import { aResult } from '../../test/support/a-loop.ts';
import type { CheckResult, TestCounts } from './evidence.ts';
import type { PlantedRun, RoomRun } from './room.ts';
import { roomAnswer } from './room.ts';

const counts = (ran: number, skipped = 0, failed = 0): TestCounts => ({ ran, skipped, failed });
const passed = (tests?: TestCounts): CheckResult => aResult('unit', 'passed', tests === undefined ? {} : { tests });
const failed = (tests?: TestCounts): CheckResult => aResult('unit', 'failed', tests === undefined ? {} : { tests });
const answerOf = (run: Omit<RoomRun, 'name'>, tests?: TestCounts, tolerates = 0): string => {
  const fit = { name: 'unit', fit: true, tolerates, ...(tests === undefined ? {} : { tests }) };
  const answer = roomAnswer({ name: 'unit', ...run }, fit);
  return answer.result === 'passed' ? 'passed' : `${answer.result}: ${answer.doubt}`;
};

describe('what a check shows in the clean room', () => {
  it.each<[string, Omit<RoomRun, 'name'>, TestCounts | undefined, string]>([
    ['passes where nobody counts', { judged: passed() }, undefined, 'passed'],
    ['passes with as many tests as before', { judged: passed(counts(12)) }, counts(12, 0, 3), 'passed'],
    ['passes with more tests than before', { judged: passed(counts(14, 1)) }, counts(1, 0, 1), 'passed'],
    ['is unknown when fewer tests ran', { judged: passed(counts(11)) }, counts(12), 'unknown: fewer-tests'],
    ['is unknown when no test ran', { judged: passed(counts(0)) }, undefined, 'unknown: no-tests'],
    ['is unknown when the number is missing', { judged: passed() }, counts(12), 'unknown: no-count'],
    ['is unknown when more are skipped', { judged: passed(counts(12, 1)) }, counts(12), 'unknown: more-skipped'],
    [
      'passes when skipped tests could not be loaded before',
      { judged: passed(counts(9, 1)) },
      counts(1, 0, 1),
      'passed',
    ],
    [
      'is unknown when its own summary counts failures',
      { judged: passed(counts(12, 0, 2)) },
      counts(12, 0, 2),
      'unknown: failed-tests',
    ],
    ['fails when it fails', { judged: failed(counts(12, 0, 1)) }, counts(12), 'failed: fails'],
    ['is unknown without an answer', { judged: aResult('unit', 'unknown') }, counts(12), 'unknown: no-answer'],
  ])('%s', (_, run, before, expected) => {
    expect(answerOf(run, before)).toBe(expected);
  });

  it('passes with failures as long as it did so at the start, and not with more', () => {
    expect(answerOf({ judged: passed(counts(12, 0, 2)) }, counts(12, 0, 2), 2)).toBe('passed');
    expect(answerOf({ judged: passed(counts(12, 0, 3)) }, counts(12, 0, 2), 2)).toBe('unknown: failed-tests');
  });

  describe('with tests that must fail', () => {
    const answer = (planted: PlantedRun, before = counts(10)): string =>
      answerOf({ judged: passed(before), planted }, before);
    const ran = (tests: TestCounts, more: Partial<PlantedRun> = {}): PlantedRun => ({
      result: 'failed',
      tests,
      values: 3,
      ...more,
    });

    it.each<[string, PlantedRun]>([
      ['they fail, and those with other values', ran(counts(14, 0, 7), { raising: counts(14, 0, 7) })],
      ['more fail than would for another value', ran(counts(14, 0, 8), { raising: counts(14, 0, 7) })],
      ['they fail, and no other value was put in', ran(counts(14, 0, 4), { values: 0, raising: counts(14, 0, 4) })],
      ['the runner stops at the first failure', ran(counts(3, 0, 1), { raising: counts(3, 0, 1) })],
      ['nobody counts', { result: 'failed', values: 3 }],
      ['there is no answer', { result: 'unknown', values: 3 }],
      [
        'they pass, and files that are broken pass too: they are not run',
        { result: 'passed', values: 0, control: 'passed' },
      ],
      ['they pass, and nobody knows whether they run', { result: 'passed', values: 0 }],
    ])('passes when %s', (_, planted) => {
      expect(answer(planted)).toBe('passed');
    });

    it.each<[string, PlantedRun]>([
      ['the check passes, and would not with broken files', { result: 'passed', values: 0, control: 'failed' }],
      ['one of them passes', ran(counts(14, 0, 3))],
      ['a test with another value passes that would compare it', ran(counts(14, 0, 6), { raising: counts(14, 0, 7) })],
      ['they fail, and all others pass with other values', ran(counts(14, 0, 4))],
    ])('is unknown when %s', (_, planted) => {
      expect(answer(planted)).toBe('unknown: cannot-fail');
    });

    it('may pass all others where some tests are skipped: the values may be theirs', () => {
      expect(answer(ran(counts(14, 2, 4)), counts(10, 2))).toBe('passed');
    });
  });

  describe('with tests that the agent added', () => {
    it('passes when all tests of the baseline ran without a failure', () => {
      expect(answerOf({ judged: failed(counts(12)), withAdded: passed(counts(20)) }, counts(12))).toBe('passed');
    });

    it('passes where the baseline had no test at all', () => {
      expect(answerOf({ judged: failed(counts(0)), withAdded: passed(counts(3)) }, counts(0))).toBe('passed');
    });

    it.each<[string, CheckResult, CheckResult]>([
      ['a test of the baseline fails', failed(counts(12, 0, 1)), passed(counts(20))],
      ['tests of the baseline are missing', failed(counts(11)), passed(counts(30))],
      ['nobody counts: an added file may have changed the others', failed(), passed()],
      ['it fails with them too', failed(counts(12)), failed(counts(20, 0, 1))],
    ])('fails when %s', (_, judged, withAdded) => {
      expect(answerOf({ judged, withAdded }, counts(12))).toBe('failed: fails');
    });
  });
});

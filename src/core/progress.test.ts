import { describe, expect, it } from 'vitest';
import { aClock, aResult } from '../../test/support/a-loop.ts';
import type { Evidence } from './evidence.ts';
import { isStalled, judgeProgress, NO_PROGRESS_YET, strategyFor } from './progress.ts';
import { sketchOf, similarity } from './message-similarity.ts';

const red = (name: string, fingerprint: string): ReturnType<typeof aResult> => aResult(name, 'failed', { fingerprint });
const said = (text: string): Pick<Evidence, 'message'> => ({
  message: { preview: text, bytes: text.length, sketch: sketchOf(text) },
});
const before = {
  progress: {
    stalledHalves: 2,
    workspaces: ['a', 'b'],
    sketch: sketchOf('still looking at the parser, it fails on line ends'),
  },
  checks: [red('unit', 'f1'), red('lint', 'f2')],
  criteriaMet: [],
};
const same: Evidence = {
  clock: aClock(1),
  checks: before.checks,
  workspace: 'b',
  ...said('still looking at the parser, it fails on line ends'),
};

describe('progress', () => {
  it.each([
    ['a check went green', { ...same, checks: [red('unit', 'f1'), aResult('lint', 'passed')] }, 0],
    ['a criterion was met', { ...same, criteriaMet: ['docs'] }, 0],
    [
      'files changed and a check fails differently',
      { ...same, workspace: 'c', checks: [red('unit', 'other'), red('lint', 'f2')] },
      0,
    ],
    ['files changed but every check fails the same', { ...same, workspace: 'c' }, 3],
    [
      'files went back to an earlier state',
      { ...same, workspace: 'a', checks: [red('unit', 'other'), red('lint', 'f2')] },
      4,
    ],
    [
      'nothing but new words',
      { ...same, ...said('read the whole tokenizer; the state machine drops the carriage return') },
      3,
    ],
    ['nothing but tools were used', { ...same, toolCalls: 3 }, 3],
    ['nothing at all', same, 4],
    ['an empty message', { ...same, ...said('') }, 4],
    [
      'one check fixed, another broken',
      { ...same, checks: [aResult('unit', 'passed'), red('lint', 'f2'), red('types', 'f3')] },
      4,
    ],
  ] as const)('judges %s', (_, evidence, halves) => {
    expect(judgeProgress(before, evidence).stalledHalves).toBe(halves);
  });

  it('takes changed files for an advance when no check is there to notice', () => {
    expect(judgeProgress({ ...before, checks: [] }, { ...same, checks: [], workspace: 'c' }).stalledHalves).toBe(0);
  });

  it('nudges, then changes the strategy, then halts', () => {
    const steps = [0, 1, 2, 3, 4, 5, 6].map((stalledHalves) => ({ ...NO_PROGRESS_YET, stalledHalves }));
    expect(steps.map((progress) => strategyFor(progress, 3))).toEqual([
      'steady',
      'steady',
      'nudge',
      'nudge',
      'diagnose',
      'diagnose',
      'diagnose',
    ]);
    expect(steps.map((progress) => isStalled(progress, 3))).toEqual([false, false, false, false, false, false, true]);
    expect(isStalled({ ...NO_PROGRESS_YET, stalledHalves: 1000 }, 'unlimited')).toBe(false);
  });
});

describe('similarity of messages', () => {
  it('is high for a reworded line and low for another text', () => {
    const text =
      'I have looked at the failing test and changed the parser so that it handles carriage returns at the end of a line';
    expect(similarity(sketchOf(text), sketchOf(text))).toBe(1);
    expect(similarity(sketchOf(text), sketchOf(text.replace('changed', 'edited')))).toBeGreaterThan(0.5);
    expect(
      similarity(sketchOf(text), sketchOf('Added the missing index to the orders table and a migration for it')),
    ).toBeLessThan(0.2);
  });

  it('works on every script and on nothing', () => {
    expect(sketchOf('日本語 の テスト です').length).toBeGreaterThan(0);
    expect(sketchOf('')).toEqual([]);
    expect(similarity([], [])).toBe(1);
    expect(similarity([], [1])).toBe(0);
  });
});

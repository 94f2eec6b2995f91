import { describe, expect, it } from 'vitest';
import { scoreGoal, SCORE_MAX, shapeOf } from './rubric.ts';

describe('scoreGoal', () => {
  it.each([
    ['Make `npm test` pass for src/auth/session.ts, with no lint errors', 'tool'],
    ['Raise the test coverage of src/parser to at least 90%:\n- npm test passes\n- no file is skipped', 'tool'],
    ['Add input validation to the signup form and write unit tests', 'colleague'],
    ['Refactor the auth module until the tests pass', 'tool'],
    ['Refactor the auth module', 'colleague'],
    ['make it better', 'ask-first'],
    ['Improve the entire codebase and also deploy it to production', 'ask-first'],
    ['', 'ask-first'],
  ])('calls "%s" a goal for %s', (goal, shape) => {
    expect(scoreGoal(goal).shape).toBe(shape);
  });

  it('adds its lines up to the score, and has a maximum of ten', () => {
    for (const goal of ['make it better', 'Make `npm test` pass in src/a.ts']) {
      const { points, lines } = scoreGoal(goal);
      expect(points).toBe(lines.reduce((sum, each) => sum + each.points, 0));
      expect(lines.reduce((sum, each) => sum + each.max, 0)).toBe(SCORE_MAX);
    }
  });

  it('says what would raise every line that misses points, and only those', () => {
    for (const goal of ['make it better', 'Add tests', 'Make `npm test` pass in src/a.ts']) {
      for (const { points, max, raise, why } of scoreGoal(goal).lines) {
        expect(why).not.toBe('');
        expect(raise === null).toBe(points === max);
      }
    }
  });

  it('counts checks and criteria that are given beside the goal', () => {
    const bare = scoreGoal('Refactor the auth module');
    const full = scoreGoal('Refactor the auth module', { checks: ['npm test'], criteria: ['a', 'b'] });
    expect(full.points - bare.points).toBe(5);
    expect(full.shape).toBe('tool');
  });

  it('cuts the scale where the shapes change', () => {
    expect([0, 4, 5, 7, 8, 10].map(shapeOf)).toEqual([
      'ask-first',
      'ask-first',
      'colleague',
      'colleague',
      'tool',
      'tool',
    ]);
  });

  it('reads a goal of any length in no time', () => {
    const started = process.hrtime.bigint();
    for (const piece of ['a/', 'a ', 'a-', '`a ', 'a.', 'aB-', '-', '`', 'the ', '1.', 'a-a.', '   \n'])
      scoreGoal(piece.repeat(200_000));
    expect(Number((process.hrtime.bigint() - started) / 1_000_000n)).toBeLessThan(3000);
  });
});

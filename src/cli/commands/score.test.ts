import { describe, expect, it } from 'vitest';
import { scoreGoal } from '../../core/rubric.ts';
import { scoreText } from './score.ts';

describe('tireless score', () => {
  it('explains each line, its points, what would raise it, and the shape', () => {
    expect(scoreText(scoreGoal('Add tests for the parser module')).join('\n')).toBe(
      [
        '2/3  objective check   it mentions "tests"',
        '                       to raise it: name the command that proves it, such as `npm test`',
        '0/2  success criteria  it does not say when it is done',
        '                       to raise it: list what must be true at the end, one line each',
        '1/1  bounded scope     it is about the parser module',
        '1/1  single outcome    it asks for one thing',
        '1/1  no taste          nothing in it is a matter of taste',
        '1/1  reversible        everything in it can be undone',
        '1/1  size              it can be finished',
        '',
        '7 of 10: a goal for a colleague; check on it now and then, and approve the finish',
      ].join('\n'),
    );
  });

  it.each([
    ['Make `npm test` pass in src/a.ts', 'a goal for a tool'],
    ['make it better', 'ask first'],
  ])('says of "%s": %s', (goal, words) => {
    expect(scoreText(scoreGoal(goal)).at(-1)).toContain(words);
  });
});

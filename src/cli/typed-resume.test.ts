import { describe, expect, it } from 'vitest';
import { parseTypedResume } from './typed-resume.ts';

describe('what is typed after /ralph to continue a loop', () => {
  it.each([
    ['--resume', { given: undefined, force: false, limits: {} }],
    ['  --resume   2611 ', { given: '2611', force: false, limits: {} }],
    ['--resume=2611 --force', { given: '2611', force: true, limits: {} }],
    ['2611 --force --resume', { given: '2611', force: true, limits: {} }],
    ['--resume --max-iterations 40', { given: undefined, force: false, limits: { iterationsMax: 40 } }],
    [
      '--resume 2611 --max-cost=unlimited --max-duration 8h',
      { given: '2611', force: false, limits: { costMaxUsd: 'unlimited', durationMaxMs: 28_800_000 } },
    ],
  ])('%j', (text, parsed) => {
    expect(parseTypedResume(text)).toEqual(parsed);
  });

  it.each(['paint the shed', 'add a --resume flag', '--check "npm test" fix --resume', '--resume the old work'])(
    'is a goal: %j',
    (text) => {
      expect(parseTypedResume(text)).toBeNull();
    },
  );

  it.each([
    ['--resume --max-iteration 3', 'Did you mean --max-iterations?'],
    ['--resume --max-iterations 0', 'a whole number from 1'],
    ['--resume 2611 --check x', 'Unknown flag --check'],
  ])('refuses %j', (text, why) => {
    expect(() => parseTypedResume(text)).toThrow(why);
  });
});

import { describe, expect, it } from 'vitest';
import {
  parseDollarsLimit,
  parseDuration,
  parseDurationLimit,
  parseDurationOrNone,
  parseCount,
} from './flag-values.ts';

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['4h', 14_400_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
  ])('takes %s', (given, ms) => {
    expect(parseDuration(given, '--d')).toBe(ms);
  });

  it.each(['30', '', 'h', '1.5h', '-5s', '5 s', '1h 30m', '1e3s', '366d', '0s', '5sx', '99999999999999999h'])(
    'refuses "%s" and says how to write it',
    (given) => {
      expect(() => parseDuration(given, '--d')).toThrowError(
        /^Cannot use .* for --d: it takes a duration with its unit/,
      );
    },
  );

  it('takes nothing as a pause, and unlimited only as a limit', () => {
    expect([
      parseDurationOrNone('0', '--d'),
      parseDurationOrNone('0s', '--d'),
      parseDurationLimit('unlimited', '--d'),
    ]).toEqual([0, 0, 'unlimited']);
    expect(() => parseDuration('unlimited', '--d')).toThrowError('a duration with its unit');
  });
});

describe('amounts', () => {
  it.each([
    ['10', 10],
    ['2.50', 2.5],
    ['unlimited', 'unlimited'],
  ])('takes %s dollars', (given, limit) => {
    expect(parseDollarsLimit(given, '--max-cost')).toBe(limit);
  });

  it.each(['0', '-1', '$5', '1e3', '1,5', 'NaN', 'Infinity', ''])('refuses %s dollars', (given) => {
    expect(() => parseDollarsLimit(given, '--max-cost')).toThrowError(/US dollars/);
  });

  it('takes counts from 1 on', () => {
    expect(parseCount('1', '--max-faults')).toBe(1);
    expect(() => parseCount('0', '--max-faults')).toThrowError(/from 1 to 1000/);
  });
});

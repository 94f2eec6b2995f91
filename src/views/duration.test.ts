import { describe, expect, it } from 'vitest';
import { durationText, limitDurationText } from './duration.ts';

describe('durationText', () => {
  it.each([
    [0, '0ms'],
    [-5, '0ms'],
    [350.4, '350ms'],
    [12_999, '12s'],
    [245_000, '4m 05s'],
    [3_720_000, '1h 02m'],
    [100 * 3_600_000, '100h 00m'],
  ])('tells %d ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('tells a limit without what is zero', () => {
    expect([14_400_000, 90_000, 300_000].map(limitDurationText)).toEqual(['4h', '1m 30s', '5m']);
  });
});

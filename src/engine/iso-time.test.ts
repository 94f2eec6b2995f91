import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

describe('isoTime', () => {
  it('says what Date says, at any time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: END }), (ms) => {
        expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      }),
      { numRuns: 5000 },
    );
  });

  it('knows each day of four hundred years, leap days and the ends of months', () => {
    const days = Array.from({ length: 146_097 }, (_, day) => day * 86_400_000 + (day % 1000));
    expect(days.filter((ms) => isoTime(ms) !== new Date(ms).toISOString())).toEqual([]);
  });

  it('leaves what is before 1970 or after 9999 to Date, and takes parts of milliseconds off as it does', () => {
    for (const ms of [-1, END + 1, 8.64e15, 0.9, 1_763_271_000_000.7])
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  });
});

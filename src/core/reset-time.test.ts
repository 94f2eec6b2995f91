import { describe, expect, it } from 'vitest';
import { parseResetTime } from './reset-time.ts';

const NOW = Date.UTC(2026, 5, 10, 12, 0, 0);
const MINUTE = 60_000;

function localTime(day: number, hour: number, minute = 0): number {
  return new Date(2026, 5, day, hour, minute).getTime();
}

describe('parseResetTime', () => {
  it.each<[string, number]>([
    ['usage limit reached|1781100000', 1_781_100_000_000],
    ['usage limit reached|1781100000000', 1_781_100_000_000],
    ['"rateLimit":{"resetsAt":1781100000}', 1_781_100_000_000],
    ['resets at 2026-06-10T13:30:00Z', NOW + 90 * MINUTE],
    ['try again at 2026-06-10 15:30:00+02:00', NOW + 90 * MINUTE],
    ['try again in 2 hours', NOW + 120 * MINUTE],
    ['Try again in 1 hour 30 minutes.', NOW + 90 * MINUTE],
    ['try again in 1h30m', NOW + 90 * MINUTE],
    ['try again in 3 days, 2 hours and 5 minutes', NOW + (74 * 60 + 5) * MINUTE],
    ['Please retry in 92.5s.', NOW + 92_500],
    ['retry after 45 seconds', NOW + 45_000],
    ['retry-after: 120', NOW + 120_000],
    ['resets 3pm (UTC)', NOW + 180 * MINUTE],
    ['limit reached ∙ resets 3:05pm (Europe/Berlin)', NOW + 65 * MINUTE],
    ['resets at 13:45 UTC', NOW + 105 * MINUTE],
    ['resets 11am (UTC)', NOW + 23 * 60 * MINUTE],
    ['resets Jun 12, 5pm (UTC)', NOW + 53 * 60 * MINUTE],
    ['try again at Jun 11th, 2026 12:22 AM (UTC).', NOW + (12 * 60 + 22) * MINUTE],
    ['try again at June 11, 2026, at 9 AM (UTC)', NOW + 21 * 60 * MINUTE],
    ['resets 12am (UTC)', NOW + 12 * 60 * MINUTE],
  ])('reads %j', (text, expected) => {
    expect(parseResetTime(text, NOW)).toBe(expected);
  });

  it.each(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])(
    'knows the month %s',
    (name) => {
      const month = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].indexOf(name);
      const now = Date.UTC(2026, month, 10, 12);
      expect(parseResetTime(`resets ${name} 12, 5pm (UTC)`, now)).toBe(now + 53 * 60 * MINUTE);
    },
  );

  it('takes a date without a year for the next one', () => {
    const newYearsEve = Date.UTC(2026, 11, 31, 22);
    expect(parseResetTime('resets Jan 1, 3am (UTC)', newYearsEve)).toBe(newYearsEve + 5 * 60 * MINUTE);
  });

  it('takes a time without a zone for one of this machine', () => {
    const now = localTime(10, 12);
    expect(parseResetTime('resets 3pm', now)).toBe(localTime(10, 15));
    expect(parseResetTime('try again at 9:05 AM.', now)).toBe(localTime(11, 9, 5));
    expect(parseResetTime('resets 3pm (whenever)', now)).toBe(localTime(10, 15));
  });

  it.each([
    'usage limit reached',
    'usage limit reached|123',
    '2026-06-10T13:00:00Z ERROR usage limit reached',
    'resets 3',
    'resets 25:00 UTC',
    'resets at 2026-06-01T00:00:00Z',
    'try again at Jun 9th, 2026 3:00 PM (UTC)',
    'resets Jun 9, 3pm (UTC)',
    'try again in 40 days',
    'usage limit reached|1999999999',
  ])('finds no time in %j', (text) => {
    expect(parseResetTime(text, NOW)).toBeUndefined();
  });

  it('never answers with a time so near that the driver would spin', () => {
    expect(parseResetTime('retry after 0 seconds', NOW)).toBe(NOW + 30_000);
    expect(parseResetTime('resets 11:55 UTC', NOW)).toBe(NOW + 30_000);
  });
});

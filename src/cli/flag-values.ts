import type { Limit } from '../core/loop.ts';
import { LIMIT_CEILINGS, refusedValue } from '../engine/spec/limit-values.ts';

/** Every parser here accepts its own form and nothing else: `1e9`, `0x10`, ` 5` and an empty string are not numbers. */

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

export function parseIterations(given: string, name: string): Limit {
  return wholeOrUnlimited(given, name, LIMIT_CEILINGS.iterationsMax);
}

export function parseCount(given: string, name: string): Limit {
  return wholeOrUnlimited(given, name, LIMIT_CEILINGS.faultsInRowMax);
}

export function parseTokens(given: string, name: string): Limit {
  return wholeOrUnlimited(given, name, LIMIT_CEILINGS.tokensMax);
}

export function parseDollarsLimit(given: string, name: string): Limit {
  if (given === 'unlimited') return given;
  const amount = /^\d{1,9}(?:\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN;
  if (amount > 0 && amount <= LIMIT_CEILINGS.costMaxUsd) return amount;
  throw refusedValue(
    given,
    name,
    `US dollars above 0 and up to ${LIMIT_CEILINGS.costMaxUsd}, such as 2.50, or "unlimited"`,
  );
}

/** `90s` `30m` `4h` `1h30m` `500ms` `2d`. A bare number is refused, because half of all people would mean seconds and half minutes. */
export function parseDuration(given: string, name: string): number {
  return durationAtLeast(1, given, name);
}

export function parseDurationOrNone(given: string, name: string): number {
  return given === '0' ? 0 : durationAtLeast(0, given, name);
}

export function parseDurationLimit(given: string, name: string): Limit {
  return given === 'unlimited' ? given : durationAtLeast(1, given, name);
}

/** How far back: a duration before now, or a day or a time (`2026-11-01`, `2026-11-01T08:00`). Returns a point in time. */
export function parseSince(given: string, name: string, nowMs: number = Date.now()): number {
  // A day without a time is a day in the user's time zone: JavaScript would read it as UTC.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(given);
  const at =
    isDay || /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/.test(given)
      ? Date.parse(isDay ? `${given}T00:00` : given)
      : Number.NaN;
  if (!Number.isNaN(at)) return at;
  if (/^\d+(?:ms|[smhd])/.test(given)) return nowMs - durationAtLeast(0, given, name);
  throw refusedValue(given, name, 'a duration with its unit, such as 12h or 7d, or a date such as 2026-11-01');
}

/** A plain count. */
export function parseNumberOf(given: string, name: string, least = 1): number {
  const count = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN;
  if (count >= least) return count;
  throw refusedValue(given, name, `a whole number from ${least} to 999999`);
}

function durationAtLeast(leastMs: number, given: string, name: string): number {
  const parts = [...given.matchAll(/(\d{1,12})(ms|[smhd])/g)];
  const whole = parts.map((part) => part[0]).join('');
  const total = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS.get(unit ?? '') ?? Number.NaN),
    0,
  );
  if (whole !== '' && whole === given && total >= leastMs && total <= LIMIT_CEILINGS.durationMaxMs) return total;
  throw refusedValue(given, name, 'a duration with its unit, up to 365d, such as 500ms, 90s, 30m, 4h or 1h30m');
}

function wholeOrUnlimited(given: string, name: string, ceiling: number): Limit {
  if (given === 'unlimited') return given;
  const count = /^\d{1,13}$/.test(given) ? Number(given) : Number.NaN;
  // `>=` on both sides is false for NaN.
  if (count >= 1 && count <= ceiling) return count;
  throw refusedValue(given, name, `a whole number from 1 to ${ceiling}, or "unlimited"`);
}

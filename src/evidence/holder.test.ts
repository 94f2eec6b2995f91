import { describe, expect, it } from 'vitest';
import { aClock } from '../../test/support/a-loop.ts';
import { isHolderAlive } from './holder.ts';

const MINUTE = 60_000;

describe('holder', () => {
  it.each([true, false])('is as its process is, on this machine: %s', (aliveHere) => {
    expect(isHolderAlive({ aliveHere, seen: null, wallMs: 0 })).toBe(aliveHere);
  });

  it.each([
    ['just now', 0, true],
    ['a minute ago', MINUTE, true],
    ['two minutes ago', 2 * MINUTE, false],
    ['in ten minutes, by a clock ahead of ours', -10 * MINUTE, true],
    ['in a year, by a clock that was wrong', -365 * 24 * 60 * MINUTE, false],
  ])('elsewhere, seen %s', (_, agoMs, expected) => {
    const seen = aClock();
    expect(isHolderAlive({ aliveHere: 'elsewhere', seen, wallMs: seen.wallMs + agoMs })).toBe(expected);
  });

  it('is dead elsewhere when it was never seen', () => {
    expect(isHolderAlive({ aliveHere: 'elsewhere', seen: null, wallMs: 0 })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { aClock, aState } from '../../test/support/a-loop.ts';
import { overdueMs } from './overdue.ts';

describe('overdue', () => {
  const plan = { strategy: 'steady', last: false, rerun: false, unmet: [], runningMs: 60_000 } as const;
  const working = aState({ phase: 'working', counted: 1, runningMs: 60_000, runningSince: aClock(0), plan });

  it('is an iteration from the very moment its time is used up', () => {
    expect(overdueMs(working, aClock(999), 1000)).toBeNull();
    expect(overdueMs(working, aClock(1000), 1000)).toBe(0);
    expect(overdueMs(working, aClock(5000), 1000)).toBe(4000);
  });

  it('counts from the start of the iteration, whatever was committed in between', () => {
    const steered = { ...working, runningMs: 62_000, runningSince: aClock(2000) };
    expect(overdueMs(steered, aClock(3000), 3000)).toBe(0);
  });

  it('is never a loop that does not work', () => {
    expect(overdueMs({ ...working, phase: 'ready' }, aClock(9000), 1000)).toBeNull();
    expect(overdueMs({ ...working, status: 'paused' }, aClock(9000), 1000)).toBeNull();
  });
});

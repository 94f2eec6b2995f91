import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
import { expectNothingLost } from './expect-nothing-lost.ts';
import { hammer } from './hammer.ts';

describe('8 processes on one loop', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'tireless-committers-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('lose nothing and count nothing twice while they are killed at random', async () => {
    const aftermath = await hammer({
      home,
      processes: 8,
      iterationsMax: 'unlimited',
      killing: { everyMs: 150, forMs: 2000 },
    });

    expect(aftermath.killed.size).toBeGreaterThan(5);
    expectNothingLost(home, aftermath);
  });

  it('get exactly the iterations that were allowed, and then none', async () => {
    const aftermath = await hammer({ home, processes: 8, iterationsMax: 100 });
    const { acked, ends } = aftermath;

    expectNothingLost(home, aftermath);
    expect(acked).toHaveLength(100);
    expect(acked.filter(({ decision }) => decision === 'halt')).toHaveLength(1);
    expect(ends).toEqual(Array.from({ length: 8 }, () => 'ended'));
    expect(openFileStore({ home }).load('a')?.state).toMatchObject({
      status: 'halted',
      counted: 100,
      outcome: { guard: 'iterations-max' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { Fault } from '../core/fault.ts';
import { failOpen, failOpenAsync } from './fail-open.ts';

const FAULT = new Fault('STORE_FULL', 'The disk is full.');
const BUG = new TypeError('x is undefined');

function throwing(error: unknown): () => string {
  return () => {
    throw error;
  };
}

describe('failOpen', () => {
  it('returns the answer', () => {
    expect(failOpen('faults', () => 'goes on', throwing(BUG))).toBe('goes on');
  });

  it('lets the agent stop after a fault, and says why', () => {
    expect(failOpen('faults', throwing(FAULT), (why) => `stop: ${why}`)).toBe('stop: The disk is full.');
  });

  it('throws a bug, unless the caller may not throw', async () => {
    expect(() => failOpen('faults', throwing(BUG), (why) => why)).toThrow(BUG);
    expect(failOpen('everything', throwing(BUG), (why) => why)).toBe('x is undefined');
    await expect(
      failOpenAsync(
        'faults',
        async () => throwing(BUG)(),
        (why) => why,
      ),
    ).rejects.toThrow(BUG);
    expect(
      await failOpenAsync(
        'everything',
        async () => throwing('a text')(),
        (why) => why,
      ),
    ).toBe('a text');
  });
});

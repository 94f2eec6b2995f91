import { expect, it } from 'vitest';
import { quickSum } from './quick-sum.ts';

it('the sum of some bytes is the same wherever they stand in a buffer, and of all of them', () => {
  const bytes = Uint8Array.from({ length: 23 }, (_, at) => at * 7);
  const sum = quickSum(bytes.slice(0, 22));
  for (const offset of [0, 1, 2, 3, 4]) {
    const buffer = new Uint8Array(40);
    buffer.set(bytes, offset);
    expect(quickSum(buffer.subarray(offset, offset + 22))).toBe(sum);
    expect(quickSum(buffer.subarray(offset, offset + 23))).not.toBe(sum);
  }
});

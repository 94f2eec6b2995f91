import { describe, expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import type { BeganProbe } from './process-began.ts';
import { beganOf, beganMs } from './process-began.ts';

const stat = (ticks: number): string => `7 (a ) b) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${ticks} 0 0`;

/** Node has run for 30 ms, on a machine that has been up for 1000 s, 400 s of them suspended. */
function probe(files: Readonly<Record<string, string>>): BeganProbe {
  return { readText: (file) => files[file], monotonicMs: () => 600_000, nodeMs: () => 30.5 };
}

describe('when this process began', () => {
  it.each([
    ['Node, where nothing else is known', {}, 599_970],
    ['the shell that became Node, rounded up to a tick', { '/proc/self/stat': stat(99_990) }, 599_910],
    ['Node, when the tick of the shell is not over yet', { '/proc/self/stat': stat(99_997) }, 599_970],
    ['Node, where a start is told as 0', { '/proc/self/stat': stat(0) }, 599_970],
    ['Node, where the start cannot be read', { '/proc/self/stat': 'what is this?' }, 599_970],
  ])('is the start of %s', (_what, files, ms) => {
    expect(beganOf(probe({ '/proc/uptime': '1000.00 1.00\n', ...files }))).toBe(ms);
  });

  it('is the start of Node where the uptime cannot be read', () => {
    expect(beganOf(probe({ '/proc/self/stat': stat(99_990) }))).toBe(599_970);
  });

  it('does not change', () => {
    expect(beganMs()).toBe(beganMs());
    expect(beganMs()).toBeLessThan(systemClock().read().monotonicMs);
  });
});

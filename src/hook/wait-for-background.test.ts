import { expect, it } from 'vitest';
import type { BackgroundWatch } from './wait-for-background.ts';
import { waitForBackground } from './wait-for-background.ts';

/** Of a hook with 20 seconds left, on a clock that only `sleep` moves. */
function aWatch(more: (nowMs: () => number) => Partial<BackgroundWatch> = () => ({})): BackgroundWatch & {
  readonly spentMs: () => number;
} {
  let now = 1000;
  const nowMs = (): number => now;
  return {
    messageWaits: () => false,
    isSame: async () => true,
    hookLeftMs: () => 20_000,
    nowMs,
    sleep: async (ms) => {
      now += ms;
    },
    spentMs: () => now - 1000,
    ...more(nowMs),
  };
}

it('a server that never ends is outlasted after half of the time of the hook', async () => {
  const watch = aWatch();
  expect(await waitForBackground(watch)).toBe(true);
  expect(watch.spentMs()).toBe(10_000);
});

it.each<[string, (nowMs: () => number) => Partial<BackgroundWatch>]>([
  ['the news of its end, or a message, waits', (nowMs) => ({ messageWaits: () => nowMs() > 4000 })],
  ['the loop was cancelled or paused', (nowMs) => ({ isSame: async () => nowMs() < 4000 })],
])('the wait ends at once when %s', async (_name, more) => {
  const watch = aWatch(more);
  expect(await waitForBackground(watch)).toBe(false);
  expect(watch.spentMs()).toBeLessThan(4000);
});

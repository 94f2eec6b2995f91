import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import type { CutReason } from '../core/event.ts';
import { startDeadlines } from './deadlines.ts';

const timing = { iterationTimeoutMs: 100_000, idleTimeoutMs: 10_000 };

function start(leftMs = Infinity) {
  const clock = fakeClock();
  const cuts: [CutReason, number][] = [];
  const onCut = (cut: CutReason): void => void cuts.push([cut, clock.read().monotonicMs]);
  return { clock, cuts, deadlines: startDeadlines({ clock, timing, leftMs, onCut }) };
}

describe('deadlines', () => {
  it('cut at the idle time when nothing happens, once', async () => {
    const { clock, cuts } = start();
    await clock.advance(500_000);
    expect(cuts).toEqual([['idle-timeout', 10_000]]);
    expect(clock.sleeping()).toBe(0);
  });

  it('count the idle time from the last sign of life', async () => {
    const { clock, cuts, deadlines } = start();
    await clock.advance(9000);
    deadlines.touch();
    await clock.advance(500_000);
    expect(cuts).toEqual([['idle-timeout', 19_000]]);
  });

  it.each([
    ['iteration-timeout', Infinity, 100_000],
    ['duration-max', 42_000, 42_000],
    ['duration-max', 100_000, 100_000],
  ] as const)('cut at the %s however busy the agent is', async (cut, leftMs, at) => {
    const { clock, cuts, deadlines } = start(leftMs);
    for (let second = 0; second < 120; second++) {
      deadlines.touch();
      await clock.advance(1000);
    }
    expect(cuts).toEqual([[cut, at]]);
  });

  it('do not take a tool that runs for silence, and count the idle time from its end', async () => {
    const { clock, cuts, deadlines } = start();
    deadlines.toolsRunning(1);
    await clock.advance(50_000);
    deadlines.touch();
    deadlines.toolsRunning(0);
    await clock.advance(500_000);
    expect(cuts).toEqual([['idle-timeout', 60_000]]);
  });

  it('cut a tool that never ends at the iteration-timeout', async () => {
    const { clock, cuts, deadlines } = start();
    deadlines.toolsRunning(1);
    await clock.advance(500_000);
    expect(cuts).toEqual([['iteration-timeout', 100_000]]);
  });

  it('say nothing once stopped, and keep no timer', async () => {
    const { clock, cuts, deadlines } = start();
    deadlines.stop();
    expect(clock.sleeping()).toBe(0);
    await clock.advance(500_000);
    expect(cuts).toEqual([]);
  });
});

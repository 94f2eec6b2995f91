import type { ClockReading } from '../../src/core/evidence.ts';
import type { Clock } from '../../src/system/clock.ts';

export type FakeClock = Clock & {
  /** Lets time pass: sleeps end in order, and everything that follows from one happens before the next ends. */
  readonly advance: (ms: number) => Promise<void>;
  /** Lets time pass until the promise settles, however long that takes on this clock, and returns its result. */
  readonly advanceUntil: <T>(settles: Promise<T>) => Promise<T>;
  /** Someone set the wall clock. */
  readonly jumpWall: (ms: number) => void;
  readonly sleeping: () => number;
};

const START = Date.UTC(2026, 0, 1);
/** If time passes and nothing happens, the test waits for something that never comes. */
const IDLE_STEPS_MAX = 200_000;

export function fakeClock(): FakeClock {
  let nowMs = 0;
  let wallOffset = 0;
  const sleeps = new Set<{ readonly at: number; readonly wake: () => void }>();
  const read = (): ClockReading => ({ wallMs: START + nowMs + wallOffset, monotonicMs: nowMs, boot: 'a-boot' });
  const stepTo = async (endMs: number): Promise<boolean> => {
    await quiet();
    const next = [...sleeps].reduce<{ readonly at: number; readonly wake: () => void } | null>(
      (first, sleep) => (sleep.at <= endMs && (first === null || sleep.at < first.at) ? sleep : first),
      null,
    );
    if (next === null) return false;
    nowMs = Math.max(nowMs, next.at);
    next.wake();
    return true;
  };
  return {
    read,
    sleep: (ms) => {
      let wake = (): void => undefined;
      const done = new Promise<void>((resolve) => {
        const sleep = {
          at: nowMs + Math.max(0, ms),
          wake: () => {
            sleeps.delete(sleep);
            resolve();
          },
        };
        wake = sleep.wake;
        sleeps.add(sleep);
      });
      return { done, cancel: wake };
    },
    advance: async (ms) => {
      const endMs = nowMs + ms;
      while (await stepTo(endMs));
      nowMs = endMs;
      await quiet();
    },
    advanceUntil: async (settles) => {
      let isSettled = false;
      const note = (): void => {
        isSettled = true;
      };
      settles.then(note, note);
      for (let step = 0; step < IDLE_STEPS_MAX; step++) {
        await quiet();
        if (isSettled) return settles;
        await stepTo(Infinity);
      }
      throw new Error('the promise did not settle, however much time passed');
    },
    jumpWall: (ms) => {
      wallOffset += ms;
    },
    sleeping: () => sleeps.size,
  };
}

/** Resolves when everything that follows immediately has happened. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}

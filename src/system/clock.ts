import type { ClockReading } from '../core/evidence.ts';
import { currentBoot } from './boot.ts';

type Sleep = {
  /** Resolves when the time is over or the sleep was cancelled; never rejects. */
  readonly done: Promise<void>;
  readonly cancel: () => void;
};

/**
 * `sleep` counts monotonic time, which stops while a laptop is suspended. That is right for a timeout (the agent
 * slept too); to wait for a time of day, sleep in short intervals and read the wall clock.
 */
export type Clock = { readonly read: () => ClockReading; readonly sleep: (ms: number) => Sleep };

/** Node turns a longer timer into one of 1 ms. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function systemClock(): Clock {
  return { read: readClock, sleep: startSleep };
}

function readClock(): ClockReading {
  // `hrtime` is CLOCK_MONOTONIC: it counts from the boot, so two processes of one boot can compare their readings.
  return { wallMs: Date.now(), monotonicMs: monotonicMs(), boot: currentBoot() };
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function startSleep(ms: number): Sleep {
  const end = monotonicMs() + Math.max(0, ms);
  let timer: NodeJS.Timeout | undefined;
  let finish: () => void;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
    const next = (): void => {
      const left = end - monotonicMs();
      if (left <= 0) resolve();
      else timer = setTimeout(next, Math.min(left, TIMER_MS_MAX));
    };
    next();
  });
  return {
    done,
    cancel: () => {
      clearTimeout(timer);
      finish();
    },
  };
}

import type { CutReason } from '../core/event.ts';
import type { Timing } from '../core/loop.ts';
import type { Clock } from '../system/clock.ts';

export type DeadlineOptions = {
  readonly clock: Clock;
  readonly timing: Pick<Timing, 'iterationTimeoutMs' | 'idleTimeoutMs'>;
  /** The loop's remaining running time; `Infinity` if its duration is unlimited. */
  readonly leftMs: number;
  /** Called at most once. */
  readonly onCut: (cut: CutReason) => void;
};

export type Deadlines = {
  /** The agent did something, so the idle time starts again. Cheap, because it may be called for every chunk of output. */
  readonly touch: () => void;
  /** While its tools run, silence is work: only the other limits count. */
  readonly toolsRunning: (count: number) => void;
  readonly stop: () => void;
};

/** One timer for three limits. It sleeps until the nearest one, then checks whether activity has postponed it. */
export function startDeadlines({ clock, timing, leftMs, onCut }: DeadlineOptions): Deadlines {
  const start = clock.read().monotonicMs;
  let active = start;
  let sleep: ReturnType<Clock['sleep']> | null = null;
  let isStopped = false;
  let isToolRunning = false;
  const nearest = (): { readonly cut: CutReason; readonly at: number } => {
    const limits = [
      { cut: 'duration-max', at: start + leftMs },
      { cut: 'iteration-timeout', at: start + timing.iterationTimeoutMs },
      { cut: 'idle-timeout', at: isToolRunning ? Infinity : active + timing.idleTimeoutMs },
    ] as const;
    return limits.reduce((first, limit) => (limit.at < first.at ? limit : first));
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const { cut, at } = nearest();
      const ms = at - clock.read().monotonicMs;
      if (ms <= 0) {
        isStopped = true;
        onCut(cut);
        return;
      }
      sleep = clock.sleep(ms);
      await sleep.done;
    }
  };
  void run();
  return {
    touch: () => {
      active = clock.read().monotonicMs;
    },
    toolsRunning: (count) => {
      if (isToolRunning === count > 0) return;
      isToolRunning = count > 0;
      // It may be sleeping until a later limit.
      sleep?.cancel();
    },
    stop: () => {
      isStopped = true;
      sleep?.cancel();
    },
  };
}

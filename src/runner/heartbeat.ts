import type { Clock } from '../system/clock.ts';
import type { DriveOptions } from './drive-context.ts';

const BEAT_MS = 1000;

/** Beats immediately and then about every second, until stopped. */
export function startHeartbeat({ clock, heartbeat }: Pick<DriveOptions, 'clock' | 'heartbeat'>): { stop(): void } {
  let sleep: ReturnType<Clock['sleep']> | null = null;
  let isStopped = false;
  const next = async (): Promise<void> => {
    heartbeat(clock.read());
    sleep = clock.sleep(BEAT_MS);
    await sleep.done;
    if (!isStopped) void next();
  };
  void next();
  return {
    stop: () => {
      isStopped = true;
      sleep?.cancel();
    },
  };
}

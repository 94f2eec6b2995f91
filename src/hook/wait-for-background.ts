import { backgroundWaitMs } from '../core/background-work.ts';

export type BackgroundWatch = {
  /** Something waits for the agent: a message of the user, or the news that its background work has ended. */
  readonly messageWaits: () => boolean;
  /** Is the loop still as it was at the stop? */
  readonly isSame: () => Promise<boolean>;
  readonly hookLeftMs: () => number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
};

const LOOK_MS = 500;

/** Waits within the time of the hook; `true` = the work is still running. The stop is then judged anyway; otherwise the host wakes the agent. */
export async function waitForBackground(watch: BackgroundWatch): Promise<boolean> {
  const untilMs = watch.nowMs() + backgroundWaitMs(watch.hookLeftMs());
  for (;;) {
    if (watch.messageWaits() || !(await watch.isSame())) return false;
    const leftMs = untilMs - watch.nowMs();
    if (leftMs <= 0) return true;
    await watch.sleep(Math.min(LOOK_MS, leftMs));
  }
}

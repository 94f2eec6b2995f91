import { backgroundWaitMs } from '../core/background-work.ts';

export type BackgroundWatch = {
  /** Something waits to be handed to the agent: a message of the user, or the news that its work in the background has ended. */
  readonly messageWaits: () => boolean;
  /** Is the loop as it was when the stop came? */
  readonly isSame: () => Promise<boolean>;
  readonly hookLeftMs: () => number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
};

const LOOK_MS = 500;

/** Waits within the time of the hook; `true` = the work is still not done. Then the stop is judged beside it, else the host wakes the agent. */
export async function waitForBackground(watch: BackgroundWatch): Promise<boolean> {
  const untilMs = watch.nowMs() + backgroundWaitMs(watch.hookLeftMs());
  for (;;) {
    if (watch.messageWaits() || !(await watch.isSame())) return false;
    const leftMs = untilMs - watch.nowMs();
    if (leftMs <= 0) return true;
    await watch.sleep(Math.min(LOOK_MS, leftMs));
  }
}

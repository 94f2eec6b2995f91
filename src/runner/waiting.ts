import type { State } from '../core/loop.ts';
import { runningMsAt } from '../core/running-time.ts';
import type { Drive } from './drive-context.ts';

/** The wall clock may be changed, and a laptop may sleep: read the clock this often. */
const LOOK_MS_MAX = 15 * 1000;

/**
 * The pause before an iteration: the user's own, or the backoff after a failure. Ends early if the loop changes. The user's own pause also
 * ends when the running time is used up; nothing runs during a backoff, so only the limit on faults bounds it.
 */
export async function waitBetween(drive: Drive, state: State, delayMs: number): Promise<void> {
  const ms = state.resting === undefined ? Math.min(delayMs, runningLeftMs(drive, state)) : delayMs;
  if (ms <= 0) return;
  drive.onProgress({ kind: 'waiting', reason: 'between-iterations', ms });
  await sleepWhile(drive, ms, (now) => now.status === 'running' && isLeaseOurs(drive, now));
}

/** Waits in pieces until the wall clock reaches `resumeAt`. Returns earlier if the loop changed or the user interrupted. */
export async function waitForUsageLimit(drive: Drive, resumeAt: number): Promise<void> {
  const isParked = (now: State): boolean =>
    now.status === 'paused' && now.pause?.resumeAt === resumeAt && isLeaseOurs(drive, now);
  const leftMs = (): number => resumeAt - drive.clock.read().wallMs;
  drive.onProgress({ kind: 'waiting', reason: 'usage-limit', ms: Math.max(0, leftMs()) });
  let isOver = false;
  while (!isOver && leftMs() > 0) {
    isOver = await sleepWhile(drive, Math.min(leftMs(), LOOK_MS_MAX), isParked);
  }
}

/** `Infinity` if the loop's duration is unlimited. */
export function runningLeftMs(drive: Drive, state: State): number {
  const { durationMaxMs } = state.limits;
  return durationMaxMs === 'unlimited' ? Infinity : durationMaxMs - runningMsAt(state, drive.clock.read());
}

export function isLeaseOurs(drive: Drive, state: State): boolean {
  return state.worker?.id === drive.worker.id;
}

/** Returns whether it ended early. */
async function sleepWhile(drive: Drive, ms: number, isAwaited: (state: State) => boolean): Promise<boolean> {
  let isCut = false;
  const sleep = drive.clock.sleep(ms);
  const abandon = (): void => {
    isCut = true;
    sleep.cancel();
  };
  await drive.earlyStop.during({ isAwaited, abandon }, () => sleep.done);
  return isCut;
}

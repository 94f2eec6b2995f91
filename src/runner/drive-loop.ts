import type { State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { payAttention } from './attention.ts';
import { loadLoop, post, type Drive, type DriveEnd, type DriveOptions } from './drive.ts';
import { startHeartbeat } from './heartbeat.ts';
import { releaseAfter, releaseLease, takeLease } from './lease.ts';
import { askAndDecide, requireProject, runIteration, type Stand } from './run-iteration.ts';
import { isOurs, waitBetween, waitForUsageLimit } from './waiting.ts';

/**
 * Drive a loop on this machine until it ends, is paused, or is not ours any more: a fresh agent per iteration, and every step
 * committed before it is acted on. The lease is given back at the end, except when the user killed everything or someone took it;
 * then the next driver takes over. Throws Faults of the store, LOOP_BUSY and PROJECT_MISSING; by then no agent runs.
 */
export async function driveLoop(options: DriveOptions): Promise<DriveEnd> {
  const attention = payAttention(options);
  const current: { heartbeat?: ReturnType<typeof startHeartbeat> } = {};
  // Not before: until the lease is ours, the last beat tells how long the driver before us was at work.
  const onLeased = (): void => {
    current.heartbeat = startHeartbeat(options);
  };
  try {
    const drive: Drive = { ...options, attention };
    const end = await attention.unlessKilled(driveToEnd(drive, onLeased));
    return end === 'killed' ? { loaded: await loadLoop(drive), ended: 'interrupted' } : end;
  } finally {
    current.heartbeat?.stop();
    attention.close();
    if (!attention.isKilled()) options.watchdog?.close();
  }
}

async function driveToEnd(drive: Drive, onLeased: () => void): Promise<DriveEnd> {
  const taken = await takeLease(drive);
  onLeased();
  try {
    const { loaded, ended } = await stepByStep(drive, taken);
    return { loaded: ended === 'lease-lost' ? loaded : await releaseLease(drive), ended };
  } catch (error) {
    await releaseAfter(drive);
    throw error;
  }
}

async function stepByStep(drive: Drive, taken: Loaded): Promise<DriveEnd> {
  let stand: Stand = { loaded: taken, delayMs: 0 };
  for (;;) {
    await drive.attention.settled();
    const ended = endAt(drive, stand.loaded.state);
    if (ended !== null) return { loaded: stand.loaded, ended };
    stand = await nextStep(drive, stand);
  }
}

function endAt(drive: Drive, state: State): DriveEnd['ended'] | null {
  if (drive.attention.isKilled()) return 'interrupted';
  if (isEnded(state)) return 'loop-ended';
  if (!isOurs(drive, state)) return 'lease-lost';
  if (drive.attention.isInterrupted()) return 'paused';
  if (state.status !== 'paused') return null;
  return drive.waitForUsageLimit && state.pause?.resumeAt !== undefined ? null : 'paused';
}

async function nextStep(drive: Drive, { loaded, delayMs }: Stand): Promise<Stand> {
  const { state } = loaded;
  if (state.status === 'pending') {
    await requireProject(drive, state);
    return askAndDecide(drive, { kind: 'baseline-taken' });
  }
  if (state.status === 'paused') {
    await waitForUsageLimit(drive, state.pause?.resumeAt ?? 0);
    // Refused when it is not over yet, because the clock was set back or the loop moved: then we look again.
    if (!drive.attention.isInterrupted()) await post(drive, { kind: 'wait-ended' });
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  if (delayMs > 0) {
    await waitBetween(drive, state, delayMs);
    // Others may have moved it meanwhile.
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  return runIteration(drive, loaded);
}

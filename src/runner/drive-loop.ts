import type { State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { watchForEarlyStop } from './early-stop.ts';
import { loadLoop, postEvent, type Drive, type DriveEnd, type DriveOptions } from './drive-context.ts';
import { startHeartbeat } from './heartbeat.ts';
import { rememberOwnEntries, reportTampering } from './own-entries.ts';
import { releaseAfterError, releaseLease, takeLease } from './lease.ts';
import { postAndLoad, requireProject, runIteration, type DrivePosition } from './run-iteration.ts';
import { isLeaseOurs, waitBetween, waitForUsageLimit } from './waiting.ts';

/**
 * Drive a loop on this machine until it ends, is paused, or is not ours any more: a fresh agent per iteration, and every step
 * committed before it is acted on. The lease is given back at the end, except when the user killed everything or someone took it;
 * then the next driver takes over. Throws Faults of the store, LOOP_BUSY, PROJECT_MISSING and JOURNAL_TAMPERED; by then no agent runs.
 */
export async function driveLoop(options: DriveOptions): Promise<DriveEnd> {
  const earlyStop = watchForEarlyStop(options);
  const current: { heartbeat?: ReturnType<typeof startHeartbeat> } = {};
  // Not before: until the lease is ours, the last beat tells how long the driver before us was at work.
  const onLeased = (): void => {
    current.heartbeat = startHeartbeat(options);
  };
  try {
    const drive: Drive = { ...options, earlyStop, ownEntries: rememberOwnEntries(options) };
    const end = await earlyStop.unlessKilled(driveToEnd(drive, onLeased));
    return end === 'killed' ? { loaded: await loadLoop(drive), ended: 'interrupted' } : end;
  } finally {
    current.heartbeat?.stop();
    earlyStop.close();
    if (!earlyStop.isKilled()) options.watchdog?.close();
  }
}

async function driveToEnd(drive: Drive, onLeased: () => void): Promise<DriveEnd> {
  const taken = await takeLease(drive);
  onLeased();
  try {
    const { loaded, ended } = await stepByStep(drive, taken);
    const left = ended === 'lease-lost' ? loaded : await releaseLease(drive);
    await refuseForged(drive, left);
    return { loaded: left, ended };
  } catch (error) {
    await releaseAfterError(drive);
    throw error;
  }
}

async function stepByStep(drive: Drive, taken: Loaded): Promise<DriveEnd> {
  let stand: DrivePosition = { loaded: taken, delayMs: 0 };
  const hadLease = isLeaseOurs(drive, taken.state);
  for (;;) {
    await drive.earlyStop.settled();
    await refuseForged(drive, stand.loaded);
    const ended = endAt(drive, stand.loaded.state, hadLease);
    if (ended !== null) return { loaded: stand.loaded, ended };
    stand = await nextStep(drive, stand);
  }
}

/** Before anything is made of a loop: what it says must not be what somebody forged. */
async function refuseForged(drive: Drive, loaded: Loaded): Promise<void> {
  const forged = await drive.ownEntries.findForged(loaded);
  if (forged !== null) throw await reportTampering(drive, forged);
}

function endAt(drive: Drive, state: State, hadLease: boolean): DriveEnd['ended'] | null {
  if (drive.earlyStop.isKilled()) return 'interrupted';
  // Whoever took it over answers for how it ended.
  if (hadLease && state.worker !== null && !isLeaseOurs(drive, state)) return 'lease-lost';
  if (isEnded(state)) return 'loop-ended';
  if (!isLeaseOurs(drive, state)) return 'lease-lost';
  if (drive.earlyStop.isInterrupted()) return 'paused';
  if (state.status !== 'paused') return null;
  return drive.waitForUsageLimit && state.pause?.resumeAt !== undefined ? null : 'paused';
}

async function nextStep(drive: Drive, { loaded, delayMs }: DrivePosition): Promise<DrivePosition> {
  const { state } = loaded;
  if (state.status === 'pending') {
    await requireProject(drive, state);
    return postAndLoad(drive, { kind: 'baseline-taken' });
  }
  if (state.status === 'paused') {
    await waitForUsageLimit(drive, state.pause?.resumeAt ?? 0);
    // Refused when it is not over yet, because the clock was set back or the loop moved: then we look again.
    if (!drive.earlyStop.isInterrupted()) await postEvent(drive, { kind: 'wait-ended' });
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  if (delayMs > 0) {
    await waitBetween(drive, state, delayMs);
    // Others may have moved it meanwhile.
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  return runIteration(drive, loaded);
}

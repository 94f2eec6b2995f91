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
 * Drives a loop on this machine until it ends, is paused, or is no longer ours: a fresh agent per iteration, and every step committed
 * before it is acted on. The lease is released at the end, unless the user killed everything or someone took it; then the next driver takes
 * over. Throws Faults of the store, LOOP_BUSY, PROJECT_MISSING and JOURNAL_TAMPERED; no agent is running by then.
 */
export async function driveLoop(options: DriveOptions): Promise<DriveEnd> {
  const earlyStop = watchForEarlyStop(options);
  const current: { heartbeat?: ReturnType<typeof startHeartbeat> } = {};
  // Not earlier: until the lease is ours, the last beat shows how long the previous driver worked.
  const onLeased = (): void => {
    current.heartbeat = startHeartbeat(options);
  };
  try {
    const drive: Drive = { ...options, earlyStop, ownEntries: rememberOwnEntries(options) };
    const end = await earlyStop.orKilled(driveToEnd(drive, onLeased));
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
    await releaseAfterError(drive, error);
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

/** Runs before the loop's state is used, because somebody may have forged it. */
async function refuseForged(drive: Drive, loaded: Loaded): Promise<void> {
  const forged = await drive.ownEntries.findForged(loaded);
  if (forged !== null) throw await reportTampering(drive, forged);
}

function endAt(drive: Drive, state: State, hadLease: boolean): DriveEnd['ended'] | null {
  if (drive.earlyStop.isKilled()) return 'interrupted';
  // Whoever took the loop over is responsible for its end.
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
    // Refused if the wait is not over yet, because the clock was set back or the loop changed: then it is checked again.
    if (!drive.earlyStop.isInterrupted()) await postEvent(drive, { kind: 'wait-ended' });
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  if (delayMs > 0) {
    await waitBetween(drive, state, delayMs);
    // Others may have changed the loop in the meantime.
    return { loaded: await loadLoop(drive), delayMs: 0 };
  }
  return runIteration(drive, loaded);
}

import { Fault, isFault } from '../core/fault.ts';
import type { LoopId, Worker } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { killEverything } from '../system/kill.ts';
import { watchdogMark } from '../system/watchdog.ts';
import { loadLoop, postEvent, type Drive } from './drive-context.ts';
import { processMarksOf } from './interrupts.ts';

const ORPHAN_GRACE_MS = 2000;

/**
 * Takes the right to drive this loop. Throws LOOP_BUSY while another worker holds it and may be alive. A dead worker's lease is taken over,
 * and any processes it left running are ended first: two agents in one directory would undo each other's work. An ended loop is returned as
 * it is, without a lease.
 */
export async function takeLease(drive: Drive): Promise<Loaded> {
  const before = await loadLoop(drive);
  const { decision, loaded } = await postEvent(drive, { kind: 'worker-leased', worker: drive.worker });
  if (decision.kind === 'abstain') {
    if (decision.because === 'held-by-other') throw busy(drive.loop, loaded?.state.worker ?? before.state.worker);
    return loaded ?? before;
  }
  const from = before.state.worker;
  if (from !== null) {
    // Ends its watchdog first, which may still be at work and would mistake our agent for one that the dead driver left.
    await killEverything({ pids: [], environment: [watchdogMark(drive.loop, from.pid)], graceMs: 0 });
    await killEverything({ pids: [], environment: processMarksOf(drive.loop), graceMs: ORPHAN_GRACE_MS });
  }
  const taken = loaded ?? before;
  drive.onProgress({ kind: 'lease-taken', from, loaded: taken });
  return taken;
}

/** Returns the loop as it is afterwards. If someone else holds the lease by now, this is refused and harmless. */
export async function releaseLease(drive: Drive): Promise<Loaded> {
  const { loaded } = await postEvent(drive, { kind: 'worker-released', worker: drive.worker.id });
  return loaded ?? (await loadLoop(drive));
}

/** During an exit with an error: the user needs to see that error, not that the same disk refused this too. */
export async function releaseAfterError(drive: Drive, first: unknown): Promise<void> {
  try {
    await releaseLease(drive);
  } catch (error) {
    if (!isFault(error)) throw error;
    if (isFault(first) && first.code === error.code) return;
    drive.onProgress({ kind: 'trouble', message: error.message });
  }
}

function busy(loop: LoopId, holder: Worker | null): Fault {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.machine}`;
  return new Fault(
    'LOOP_BUSY',
    `Loop ${loop} is being driven by ${who}. Watch it with "tireless status ${loop}", or stop it with "tireless pause ${loop}" and then run "tireless resume ${loop}".`,
  );
}

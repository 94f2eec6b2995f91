import type { Decision } from '../core/decision.ts';
import type { CutReason, Event } from '../core/event.ts';
import type { ClockReading } from '../core/evidence.ts';
import { Fault } from '../core/fault.ts';
import type { LoopId, Worker, Status } from '../core/loop.ts';
import type { Agent, AgentActivity, Control, Handled, Loaded, TurnReport } from '../engine/ports.ts';
import type { Clock } from '../system/clock.ts';
import type { InterruptSignal } from '../system/signals.ts';
import type { EarlyStop } from './early-stop.ts';
import type { OwnEntries } from './own-entries.ts';

/** All ports of the driver, so that a test can drive a loop instantly and without a process. */
export type DriveOptions = {
  readonly control: Control;
  readonly loop: LoopId;
  readonly agent: Agent;
  readonly clock: Clock;
  readonly worker: Worker;
  /** Called about every second: after a crash, running time counts up to the last sign of life. */
  readonly heartbeat: (reading: ClockReading) => void;
  /** A line of JSON (`ActivityLine`). Must not throw: like a lost heartbeat, a lost line does no harm. */
  readonly activity: (line: string) => void;
  /** Closed when the drive ends well; if the drive is killed, it stays and ends what was left running. */
  readonly watchdog?: { readonly close: () => void };
  readonly onProgress: (update: ProgressUpdate) => void;
  readonly interrupts: { readonly onInterrupt: (handler: (signal?: InterruptSignal) => void) => () => void };
  /** Wait until the usage limit ends, then continue; otherwise end as paused. */
  readonly waitForUsageLimit: boolean;
  readonly projectExists?: (cwd: string) => boolean;
};

/** For whoever shows the drive. Checks report through the probes instead. */
export type ProgressUpdate =
  | { readonly kind: 'lease-taken'; readonly from: Worker | null; readonly loaded: Loaded }
  | { readonly kind: 'decided'; readonly event: Event['kind']; readonly decision: Decision; readonly loaded: Loaded }
  | { readonly kind: 'waiting'; readonly reason: 'between-iterations' | 'usage-limit'; readonly ms: number }
  | { readonly kind: 'agent-started'; readonly iteration: number; readonly agent: string }
  | { readonly kind: 'agent-active'; readonly iteration: number; readonly activity: AgentActivity }
  | { readonly kind: 'turn-cut'; readonly iteration: number; readonly cut: CutReason }
  | { readonly kind: 'checking'; readonly iteration: number }
  /** `status`: of the loop that someone else changed; absent = not known. */
  | { readonly kind: 'stopping'; readonly reason: 'interrupt' | 'loop-moved'; readonly status?: Status }
  /** Something else failed during the exit, besides the error that the drive ends with. */
  | { readonly kind: 'trouble'; readonly message: string };

export type DriveEnd = {
  readonly loaded: Loaded;
  /** `paused`: also after the first Ctrl-C. `interrupted`: after the second one, which killed everything and posted nothing more. */
  readonly ended: 'loop-ended' | 'paused' | 'interrupted' | 'lease-lost';
};

export type Drive = DriveOptions & { readonly earlyStop: EarlyStop; readonly ownEntries: OwnEntries };

/** Posts one event of this driver. A killed driver posts nothing: the next driver settles what it left open. */
export async function postEvent(drive: Drive, event: Event, report?: TurnReport): Promise<Handled> {
  if (drive.earlyStop.isKilled()) return { decision: { kind: 'abstain', because: 'not-awaited' } };
  const handled = await drive.control.post(drive.loop, event, report);
  const { decision, loaded, earlier } = handled;
  if (earlier !== undefined) drive.ownEntries.note(earlier);
  if (decision.kind !== 'abstain' && loaded !== undefined) {
    drive.ownEntries.note(loaded);
    drive.onProgress({ kind: 'decided', event: event.kind, decision, loaded });
  }
  return handled;
}

export async function loadLoop(drive: Pick<Drive, 'control' | 'loop'>): Promise<Loaded> {
  const loaded = await drive.control.get(drive.loop);
  if (loaded !== undefined) return loaded;
  throw new Fault('LOOP_NOT_FOUND', `There is no loop ${drive.loop}. "tireless list" shows all loops.`);
}

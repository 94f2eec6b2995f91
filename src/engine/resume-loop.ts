import type { AbstainReason } from '../core/decision.ts';
import { Fault } from '../core/fault.ts';
import type { Limits } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Control, Loaded } from './ports.ts';
import { resumeEventFor } from './why-not-resumed.ts';

/** Is a live process driving this loop? */
export type IsDriven = (loaded: Loaded) => boolean;

/**
 * The loops that `resume` considers when none is named: open ones that no process drives, and halted ones only if none is open. `here`: the
 * open loops of the project.
 */
export function resumable(here: readonly Loaded[], isDriven: IsDriven): (loaded: Loaded) => boolean {
  const isWaiting = (loaded: Loaded): boolean => !isEnded(loaded.state) && !isDriven(loaded);
  return here.some(isWaiting) ? isWaiting : ({ state }) => state.status === 'halted';
}

/**
 * Whoever names no loop means the one that is at work, or does not know of it: another loop would start a second agent on the same files.
 * Throws `LOOP_BUSY`.
 */
export function requireNoneAtWork(here: readonly Loaded[], found: Loaded, isDriven: IsDriven): void {
  const busy = here.find((loaded) => !isEnded(loaded.state) && isDriven(loaded));
  if (busy === undefined) return;
  throw new Fault(
    'LOOP_BUSY',
    `Loop ${busy.state.loop} is running in this project, so nothing was resumed. To continue the other loop beside it, name it: tireless resume ${found.state.loop}`,
  );
}

export type Resumed =
  | { readonly kind: 'ready'; readonly loaded: Loaded }
  /** A process is driving it. Nothing was changed. */
  | { readonly kind: 'driven'; readonly loaded: Loaded }
  | { readonly kind: 'refused'; readonly loaded: Loaded; readonly because: AbstainReason };

/**
 * Prepares a loop for whoever continues it, with new limits if given. If it is running or pending, its driver is gone; the lease of the next
 * driver takes care of that.
 */
export async function resumeLoop(
  found: Loaded,
  limits: Partial<Limits>,
  { control, isDriven }: { readonly control: Pick<Control, 'post'>; readonly isDriven: IsDriven },
): Promise<Resumed> {
  const { loop, status } = found.state;
  if (isDriven(found)) return { kind: 'driven', loaded: found };
  const event = resumeEventFor(status, limits);
  if (event === null) return { kind: 'ready', loaded: found };
  const { decision, loaded = found } = await control.post(loop, event, { noReply: true });
  return decision.kind === 'abstain'
    ? { kind: 'refused', loaded, because: decision.because }
    : { kind: 'ready', loaded };
}

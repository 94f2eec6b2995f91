import type { AbstainReason } from '../core/decision.ts';
import { Fault } from '../core/fault.ts';
import type { Limits } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Control, Loaded } from './ports.ts';
import { fromOutside } from './post-event.ts';
import { resumeEventFor } from './why-not-resumed.ts';

/** Is a live process driving this loop? */
export type IsDriven = (loaded: Loaded) => boolean;

/**
 * The loops that `resume` considers if none is named: open ones that no process drives, and halted ones only if none is open. `here`: the
 * open loops of the project.
 */
export function resumable(here: readonly Loaded[], isDriven: IsDriven): (loaded: Loaded) => boolean {
  const isWaiting = (loaded: Loaded): boolean => !isEnded(loaded.state) && !isDriven(loaded);
  return here.some(isWaiting) ? isWaiting : ({ state }) => state.status === 'halted';
}

/**
 * Users who name no loop mean the one at work, or do not know about it: resuming another loop would start a second agent on the same files.
 * `other`: the loop that would be resumed. Throws `LOOP_BUSY`.
 */
export function requireNoneAtWork(here: readonly Loaded[], other: Loaded | undefined, isDriven: IsDriven): void {
  const busy = here.find((loaded) => !isEnded(loaded.state) && isDriven(loaded));
  if (busy === undefined) return;
  const { loop } = busy.state;
  const next =
    other === undefined
      ? `Watch it with "tireless status ${loop}", or stop it with "tireless pause ${loop}".`
      : `To continue the other loop beside it, name it: tireless resume ${other.state.loop}`;
  throw new Fault('LOOP_BUSY', `Loop ${loop} is running in this project, so nothing was resumed. ${next}`);
}

export type ResumeResult =
  | { readonly kind: 'ready'; readonly loaded: Loaded }
  /** A process is driving it. Nothing was changed. */
  | { readonly kind: 'driven'; readonly loaded: Loaded }
  | { readonly kind: 'refused'; readonly loaded: Loaded; readonly because: AbstainReason };

/**
 * Prepares a loop for whoever continues it, with new limits if given. If it is running or pending, its driver is gone, and the lease of the
 * next driver replaces it.
 */
export async function resumeLoop(
  found: Loaded,
  limits: Partial<Limits>,
  { control, isDriven }: { readonly control: Pick<Control, 'post'>; readonly isDriven: IsDriven },
): Promise<ResumeResult> {
  const { loop, status } = found.state;
  if (isDriven(found)) return { kind: 'driven', loaded: found };
  const event = resumeEventFor(status, limits);
  if (event === null) return { kind: 'ready', loaded: found };
  const { decision, loaded = found } = await control.post(loop, event, fromOutside(found));
  return decision.kind === 'abstain'
    ? { kind: 'refused', loaded, because: decision.because }
    : { kind: 'ready', loaded };
}

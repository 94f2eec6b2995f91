import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/** What an ended loop may have left behind on this machine. */
export type ReleasePorts = {
  /** Ends the checks of the loop that are still running. */
  readonly endChecks: (loop: LoopId) => Promise<void>;
  /** Removes hooks that are in the settings only while a loop is open. Does nothing where hooks are permanent. */
  readonly removeHooks: (session: SessionRef, cwd: string) => Promise<void>;
};

/**
 * Call it after every event that may have ended a loop, before the end is reported: no check of an ended loop keeps running, and the hooks
 * that were added for the loop are removed.
 */
export async function releaseIfEnded({ spec, state }: Loaded, ports: ReleasePorts): Promise<void> {
  if (!isEnded(state)) return;
  if (spec.driver === 'session') await ports.endChecks(state.loop);
  if (state.session !== null && spec.dialect === undefined) await ports.removeHooks(state.session, state.cwd);
}

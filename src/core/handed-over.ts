import type { Event } from './event.ts';
import type { State } from './loop.ts';
import { repeatsLastTurn } from './decide-turn.ts';

/** The loop has asked the user to write something in its session, and waits for that. */
export function isHandedOver({ pause }: State): boolean {
  return pause?.cause === 'handed-over';
}

/**
 * Does this stop end a turn that the user began after the loop was handed over? Then they wrote to the agent, whether or not a hook
 * reported it. `sentBack`: see `Evidence`. The last stop before the handover followed our reply, so a second report of it is not the user's
 * turn.
 */
export function isUsersTurn(state: State, event: Event, sentBack: boolean | undefined): boolean {
  if (event.kind !== 'turn-ended' || sentBack !== false || !isHandedOver(state)) return false;
  return state.pause?.request === 'replies-in-row' || !repeatsLastTurn(state, event);
}

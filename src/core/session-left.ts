import type { Event } from './event.ts';
import type { State } from './loop.ts';

/** Any event of a session shows that the session is there. */
export function withSession(state: State, { kind }: Event): State {
  if (state.sessionLeft === undefined || !OF_SESSION.has(kind)) return state;
  const { sessionLeft: _, ...rest } = state;
  return rest;
}

const OF_SESSION: ReadonlySet<Event['kind']> = new Set([
  'turn-ended',
  'turn-failed',
  'turn-aborted',
  'session-changed',
  'session-resumed',
  'user-spoke',
  'driver-changed',
]);

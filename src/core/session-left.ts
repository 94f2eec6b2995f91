import type { Event } from './event.ts';
import type { State } from './loop.ts';

/** Any event of a session shows that the session is alive. Where the agent's turn ended or another one begins, no dialog of it is open. */
export function withSession(state: State, { kind }: Event): State {
  if ((state.sessionLeft ?? state.awaitsAnswer) === undefined || !OF_SESSION.has(kind)) return state;
  const { sessionLeft: _, awaitsAnswer: __, ...rest } = state;
  return rest;
}

/** Nobody hears from the agent until the user comes back. */
export function learnSilence(state: State, kind: 'permission-asked' | 'session-left'): State {
  return kind === 'session-left' ? { ...state, sessionLeft: true } : { ...state, awaitsAnswer: true };
}

const OF_SESSION: ReadonlySet<Event['kind']> = new Set([
  'turn-ended',
  'turn-failed',
  'turn-aborted',
  'permission-asked',
  'agent-rested',
  'session-changed',
  'session-resumed',
  'user-spoke',
  'driver-changed',
]);

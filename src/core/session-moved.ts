import type { SessionRef, State } from './loop.ts';

/** `from`: the session the user took the loop from, where the move has to be shown; `undefined` = nowhere. */
export function withMove(state: State, from: SessionRef | undefined): State {
  const { movedFrom: _, ...rest } = state;
  return from === undefined ? rest : { ...rest, movedFrom: from };
}

/** Taken from an agent at work (`activeMs`): its turn runs again in the other session, which is neither a fault nor an iteration. */
export function interruptedByMove(state: State, activeMs: number | undefined): State {
  return activeMs === undefined || state.phase !== 'working'
    ? state
    : { ...state, lastTrouble: { code: 'session-changed' }, plan: { ...state.plan, rerun: true } };
}

import type { SessionRef, State } from './loop.ts';

/** `from`: a session that the user took the loop from, and who sits there has to be told; `undefined` = nobody. */
export function withMove(state: State, from: SessionRef | undefined): State {
  const { movedFrom: _, ...rest } = state;
  return from === undefined ? rest : { ...rest, movedFrom: from };
}

/** Taken from an agent at work (`activeMs`): its turn begins again in the other session, which is no fault and no iteration. */
export function interruptedByMove(state: State, activeMs: number | undefined): State {
  return activeMs === undefined || state.phase !== 'working'
    ? state
    : { ...state, lastTrouble: { code: 'session-changed' }, plan: { ...state.plan, rerun: true } };
}

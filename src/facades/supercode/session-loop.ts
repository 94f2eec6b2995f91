import type { RalphLoopState } from './ralph-loop.ts';

/** The `loop` field of a host's session state. */
export type SessionLoop = { iterations: number; maxIterations: number };
export type SessionState = { loop?: SessionLoop };

export function sessionLoopOf(state: RalphLoopState | null): SessionLoop | undefined {
  return state?.active === true ? { iterations: state.iteration, maxIterations: state.maxIterations } : undefined;
}

/** The session with its `loop` field set from the hook's current state; without that field if it has no running loop. */
export function withSessionLoop<S extends SessionState>(session: S, state: RalphLoopState | null): S {
  const { loop: _, ...rest } = session;
  const loop = sessionLoopOf(state);
  // Unchanged except for a field that every session state may have or lack.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (loop === undefined ? rest : { ...rest, loop }) as S;
}

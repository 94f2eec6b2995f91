import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import type { Loaded, Store } from '../engine/ports.ts';

/** The open loop of a session; one that has moved on leaves its old session free. */
export function heldBy(session: SessionRef, store: Store): LoopId | undefined {
  const bound = store.loopOfSession(session);
  const other = bound === undefined ? undefined : store.load(bound);
  if (other === undefined || isEnded(other.state)) return undefined;
  return isSameSession(other.state.session, session) ? bound : undefined;
}

/** Open loops that live in sessions of a host in this project, newest last. */
export function openInSessions(host: string, cwd: string, store: Store): readonly Loaded[] {
  return store
    .list({ ended: false })
    .filter(({ spec, state }) => spec.driver === 'session' && state.cwd === cwd && state.session?.host === host);
}

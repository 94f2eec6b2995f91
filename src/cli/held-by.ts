import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Store } from '../engine/ports.ts';

/** The open loop of a session; one that has moved on leaves its old session free. */
export function heldBy(session: SessionRef, store: Store): LoopId | undefined {
  const bound = store.loopOfSession(session);
  const other = bound === undefined ? undefined : store.load(bound);
  if (other === undefined || isEnded(other.state)) return undefined;
  const owner = other.state.session;
  return owner?.host === session.host && owner.id === session.id ? bound : undefined;
}

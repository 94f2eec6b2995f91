import { Fault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { oneLine } from '../core/quoting.ts';
import type { Takeover } from './takeover-signs.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, Store } from './ports.ts';

const ID_BYTES_MAX = 120;

/** The open loop of a session. A loop that moved away no longer occupies its old session. */
export function* openLoopOf(session: SessionRef): Pipeline<LoopId | undefined> {
  const bound = yield* perform('loopOfSession', session);
  const other = bound === undefined ? undefined : yield* perform('load', bound);
  if (other === undefined || isEnded(other.state)) return undefined;
  return isSameSession(other.state.session, session) ? bound : undefined;
}

/** Open loops in a host's sessions in this project, newest last. */
export function openLoopsInProject(host: string, cwd: string, store: Pick<Store, 'list'>): readonly Loaded[] {
  return store
    .list({ ended: false })
    .filter(({ spec, state }) => spec.driver === 'session' && state.cwd === cwd && state.session?.host === host);
}

/** Otherwise two agents would work at once, and the first would lose its loop without notice. Throws `LOOP_BUSY`. */
export function refuseActive({ state }: Loaded, { activeMs = null, force = false, again = '--force' }: Takeover): void {
  const { session } = state;
  if (activeMs === null || force || session === null) return;
  const seconds = Math.round(activeMs / 1000);
  throw new Fault(
    'LOOP_BUSY',
    `Cannot take loop ${state.loop}: its agent was active ${seconds === 1 ? '1 second' : `${seconds} seconds`} ago in another session (${sessionName(session)} of ${session.host}). Let it work there; or take it anyway: ${again}`,
  );
}

/** Throws before anything is changed if the loop cannot move to that session: `USAGE`, `LOOP_STATE` or `LOOP_BUSY`. */
export function* refuseMove(found: Loaded, target: SessionRef, takeover: Takeover = {}): Pipeline<void> {
  const { spec, state } = found;
  if (spec.driver !== 'session')
    throw new Fault(
      'USAGE',
      `Cannot move loop ${state.loop} into a session: tireless starts its agents. Leave out --session.`,
    );
  refuseActive(found, takeover);
  const other = yield* openLoopOf(target);
  if (other === undefined || other === state.loop) return;
  throw new Fault(
    'LOOP_STATE',
    `Cannot continue loop ${state.loop} in the session ${sessionName(target)}: it already has loop ${other}. Cancel that one with "tireless cancel ${other}", or use another session.`,
  );
}

/** An id is foreign text. */
export function sessionName({ id }: SessionRef): string {
  return oneLine(id, ID_BYTES_MAX);
}

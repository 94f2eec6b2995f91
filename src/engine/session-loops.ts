import { Fault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { oneLine } from '../core/quoting.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, Store } from './ports.ts';

const ID_BYTES_MAX = 120;

/** The open loop of a session. A loop that moved to another session leaves its old session free. */
export function* openLoopOf(session: SessionRef): Pipeline<LoopId | undefined> {
  const bound = yield* perform('loopOfSession', session);
  const other = bound === undefined ? undefined : yield* perform('load', bound);
  if (other === undefined || isEnded(other.state)) return undefined;
  return isSameSession(other.state.session, session) ? bound : undefined;
}

/** Open loops in sessions of a host in this project, newest last. */
export function openLoopsInProject(host: string, cwd: string, store: Pick<Store, 'list'>): readonly Loaded[] {
  return store
    .list({ ended: false })
    .filter(({ spec, state }) => spec.driver === 'session' && state.cwd === cwd && state.session?.host === host);
}

/** Refuses to move a loop to a session before anything is changed. Throws `USAGE` or `LOOP_STATE`. */
export function* refuseMove({ spec, state }: Loaded, target: SessionRef): Pipeline<void> {
  if (spec.driver !== 'session')
    throw new Fault(
      'USAGE',
      `Cannot take loop ${state.loop} into a session: tireless itself starts its agents. Leave out --session.`,
    );
  const other = yield* openLoopOf(target);
  if (other === undefined || other === state.loop) return;
  throw new Fault(
    'LOOP_STATE',
    `Cannot continue loop ${state.loop} in the session ${sessionName(target)}: loop ${other} lives there. Cancel that one with "tireless cancel ${other}", or take another session.`,
  );
}

/** An id is text from outside. */
export function sessionName({ id }: SessionRef): string {
  return oneLine(id, ID_BYTES_MAX);
}

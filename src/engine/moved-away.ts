import type { SessionRef } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** The loop that the user took from this session, if the move has not been shown here yet. */
export function* findMovedLoop(session: SessionRef): Pipeline<Loaded | undefined> {
  const loop = yield* perform('loopOfSession', session);
  const loaded = loop === undefined ? undefined : yield* perform('load', loop);
  return isSameSession(loaded?.state.movedFrom, session) ? loaded : undefined;
}

/** Committed before it is shown: a lost notice is better than one at every stop. */
export function* markMoveShown(known: Loaded): Pipeline<void> {
  yield* handleEvent(known.state.loop, { kind: 'move-shown' });
}

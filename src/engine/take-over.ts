import type { SessionRef } from '../core/loop.ts';
import type { DialectPlace } from './dialect-loop.ts';
import { loopOfFile } from './dialect-loop.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/**
 * The user goes on with the loop of a file in another session. Only on their word: a session that merely begins in the project must not
 * take the loop of one that is still at it. Writes nothing into the file, so that an edit of it is still noticed.
 */
export function* takeOver(place: Pick<DialectPlace, 'live'>, session: SessionRef): Pipeline<Loaded | undefined> {
  const known = yield* loopOfFile(place);
  if (known === undefined) return undefined;
  const { loop, session: owner } = known.state;
  if (owner?.host === session.host && owner.id === session.id) return known;
  const handled = yield* handleEvent(loop, { kind: 'session-changed', session });
  if (handled.decision.kind === 'record') yield* perform('bindSession', session, loop);
  return handled.loaded;
}

import type { SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { refuseHeldSession } from './arm-loop.ts';
import type { DialectPlace } from './dialect-loop.ts';
import { editOf, loopOfFile } from './dialect-loop.ts';
import { handleEvent } from './handle-event.ts';
import type { LiveFile } from './live-file.ts';
import { isEdited } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Taking } from './leaving.ts';
import { leaving } from './leaving.ts';
import type { Handled, Loaded } from './ports.ts';

/**
 * The user goes on with the loop of a file in another session. Only on their word: a session that merely begins in the project must not
 * take the loop of one that is still at it.
 */
export function* takeOver(place: Pick<DialectPlace, 'live'>, session: SessionRef): Pipeline<Loaded | undefined> {
  const known = yield* loopOfFile(place);
  return known === undefined ? undefined : (yield* moveToSession(known, session, place.live)).loaded;
}

/**
 * The same for any loop. A file that names no session is not written, so that an edit of it is still noticed; one that does names the
 * new session after the commit. `taking`: on the word of the user; without it the conversation only has another name. Again, when the power failed in between: nothing is done twice.
 */
export function* moveToSession(
  known: Loaded,
  session: SessionRef,
  live?: LiveFile,
  taking?: Taking,
): Pipeline<Handled> {
  const { loop, session: owner } = known.state;
  const isThere = isSameSession(owner, session);
  const naming = live === undefined ? undefined : yield* namingIn(live, known, session);
  if (isThere && naming === undefined) {
    if (!isEnded(known.state)) yield* perform('bindSession', session, loop);
    return { decision: { kind: 'record' }, loaded: known };
  }
  const left = taking === undefined || isThere ? {} : leaving(known, taking);
  const handled = yield* handleEvent(loop, { kind: 'session-changed', session, ...left }, {}, naming);
  if (handled.decision.kind === 'record') yield* perform('bindSession', session, loop);
  return handled;
}

/** The same for a file whose loop has not begun: only the file names the session. `false` = someone else changed it, or it cannot name one. */
export function* nameInFile({ dialect, path }: LiveFile, session: SessionRef): Pipeline<boolean> {
  yield* refuseHeldSession(session);
  const { withSession } = dialect;
  const bytes = yield* perform('readFile', path);
  if (withSession === undefined || bytes === null) return false;
  return (yield* perform('replaceFile', path, bytes.hash, withSession(bytes.text, session.id))) === 'replaced';
}

/** The file as one that only its session is written into; `undefined` = it names none, or this one already. */
function* namingIn(live: LiveFile, known: Loaded, session: SessionRef): Pipeline<LiveFile | undefined> {
  const { dialect, path } = live;
  const { withSession } = dialect;
  const bytes = yield* perform('readFile', path);
  const reading = bytes === null ? null : dialect.read(bytes.text);
  if (withSession === undefined || reading?.kind !== 'loop') return undefined;
  if (reading.session === null || reading.session === session.id) return undefined;
  // Our bytes are about to become the known ones: what someone edited counts first.
  if (isEdited(known.state, bytes)) yield* handleEvent(known.state.loop, editOf(reading, known), {}, live);
  return {
    path,
    dialect: { ...dialect, project: (text) => (text === null ? null : withSession(text, session.id)) },
  };
}

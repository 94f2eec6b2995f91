import type { SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { refuseHeldSession } from './arm-loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { editOf } from './file-edit.ts';
import { loopOfFile } from './loop-of-file.ts';
import { handleEvent } from './handle-event.ts';
import type { LiveFile } from './live-file.ts';
import { isEdited } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Takeover } from './takeover-signs.ts';
import { originOfTakeover, workBefore } from './takeover-signs.ts';
import type { Handled, Loaded } from './ports.ts';

/**
 * The user continues the loop of a file in another session. Only at their request: a session that merely begins in the project must not
 * take the loop of a session that is still at work.
 */
export function* takeOver(place: Pick<DialectPlace, 'live'>, session: SessionRef): Pipeline<Loaded | undefined> {
  const known = yield* loopOfFile(place);
  return known === undefined ? undefined : (yield* moveToSession(known, session, place.live)).loaded;
}

/**
 * Moves any loop. A file that names no session is not written, so that an edit of it is still noticed; a file that does is updated after
 * the commit. `takeover`: requested by the user; without it the conversation was only renamed. Safe to repeat after a power cut: nothing is
 * done twice.
 */
export function* moveToSession(
  known: Loaded,
  session: SessionRef,
  live?: LiveFile,
  takeover?: Takeover,
): Pipeline<Handled> {
  const { loop, session: owner } = known.state;
  const isOwnSession = isSameSession(owner, session);
  const naming = live === undefined ? undefined : yield* namingIn(live, known, session);
  if (isOwnSession && naming === undefined) {
    if (!isEnded(known.state)) yield* perform('bindSession', session, loop);
    return { decision: { kind: 'record' }, loaded: known };
  }
  const left = takeover === undefined || isOwnSession ? {} : originOfTakeover(known, takeover);
  const handled = yield* handleEvent(
    loop,
    { kind: 'session-changed', session, ...left },
    workBefore(takeover ?? {}),
    naming,
  );
  if (handled.decision.kind === 'record') yield* perform('bindSession', session, loop);
  return handled;
}

/** For a file whose loop has not begun: only the file is updated. `false` = someone else changed it, or it cannot name a session. */
export function* writeSessionInFile({ dialect, path }: LiveFile, session: SessionRef): Pipeline<boolean> {
  yield* refuseHeldSession(session);
  const { withSession } = dialect;
  const bytes = yield* perform('readFile', path);
  if (withSession === undefined || bytes === null) return false;
  return (yield* perform('replaceFile', path, bytes.hash, withSession(bytes.text, session.id))) === 'replaced';
}

/** A view of the file into which only the session is written; `undefined` = it names none, or this one already. */
function* namingIn(live: LiveFile, known: Loaded, session: SessionRef): Pipeline<LiveFile | undefined> {
  const { dialect, path } = live;
  const { withSession } = dialect;
  const bytes = yield* perform('readFile', path);
  const reading = bytes === null ? null : dialect.read(bytes.text);
  if (withSession === undefined || reading?.kind !== 'loop') return undefined;
  if (reading.session === null || reading.session === session.id) return undefined;
  // Our bytes are about to become the known content, so hand edits are applied first.
  if (isEdited(known.state, bytes)) yield* handleEvent(known.state.loop, editOf(reading, known), {}, live);
  return {
    path,
    dialect: { ...dialect, project: (text) => (text === null ? null : withSession(text, session.id)) },
  };
}

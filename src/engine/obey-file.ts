import type { Event } from '../core/event.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { editOf } from './file-edit.ts';
import { loopOfFile, viewFile } from './loop-of-file.ts';
import { reserveFile } from './start-from-file.ts';
import { isOwner, leaveFile } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import { handleLiveEvent } from './live-event.ts';
import type { LiveFile } from './live-file.ts';
import { startsNewLoop, isEdited, isReplaced, readLiveFile } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded } from './ports.ts';

type Document = FileReading & { kind: 'loop' };

const ENDED_WITH_SESSION = { kind: 'cancel-requested', because: 'session-ended' } as const;

/** Ends an open loop whose file is gone, replaced or switched off, because there may never be a stop that notices it. Other edits wait for a stop. */
export function* endWithFile(loaded: Loaded, live: LiveFile): Pipeline<Loaded> {
  if (isEnded(loaded.state)) return loaded;
  const view = yield* readLiveFile(live);
  const { bytes, reading } = view;
  if (reading?.kind === 'invalid' || !isEdited(loaded.state, bytes)) return loaded;
  const { loop } = loaded.state;
  if (isReplaced(loaded, view)) return (yield* leaveFile(loop)) ?? loaded;
  const edit = editOf(reading, loaded);
  if (edit.kind !== 'file-edited' || !edit.gone) return loaded;
  return (yield* handleEvent(loop, edit, {}, live)).loaded ?? loaded;
}

/** Includes an unreadable file without a loop: nobody else would report it. */
export type WaitingReading = Document | (FileReading & { kind: 'invalid' });

/** The reading of an active file whose loop begins at the next stop; `null` = it is not active, or its loop is open or has ended. */
export function* readWaitingFile(live: LiveFile): Pipeline<WaitingReading | null> {
  const view = yield* viewFile({ live });
  const { bytes, reading, known } = view;
  if (reading?.kind === 'invalid') return known === undefined ? reading : null;
  if (bytes === null || reading === null || !reading.active) return null;
  if (known === undefined) return reading;
  const isNew = isEnded(known.state) ? startsNewLoop(known.state, bytes) : isReplaced(known, view);
  return isNew ? reading : null;
}

/**
 * The session has ended, and the document ends its loop with it. `isNamed`: the file is named after the session, so it belongs to it even
 * before the first stop.
 */
export function* endWithSession(place: DialectPlace, isNamed: boolean): Pipeline<void> {
  const { session, live } = place;
  const known = yield* loopOfFile(place);
  if (session === null) return;
  if (known !== undefined && !isEnded(known.state)) {
    if (isOwner(known, session)) yield* handleLiveEvent(known.state.loop, ENDED_WITH_SESSION, {}, live);
    return;
  }
  const reading = isNamed ? yield* readWaitingFile(live) : null;
  if (reading?.kind === 'loop') yield* postToWaiting(place, reading, ENDED_WITH_SESSION);
}

/** The session has ended or switched to another conversation: the next session that stops may take its loop. */
export function* leaveSession(place: Pick<DialectPlace, 'live' | 'session'>): Pipeline<void> {
  const { session } = place;
  const known = yield* loopOfFile(place);
  if (session === null || known === undefined || isEnded(known.state) || !isOwner(known, session)) return;
  yield* handleEvent(known.state.loop, { kind: 'session-left' });
}

/** The session is back: nobody may take its loop any longer. */
export function* returnSession(place: Pick<DialectPlace, 'live' | 'session'>): Pipeline<void> {
  const { session } = place;
  const known = yield* loopOfFile(place);
  if (session === null || known?.state.sessionLeft !== true || !isOwner(known, session)) return;
  yield* handleEvent(known.state.loop, { kind: 'session-changed', session });
}

/** What a user can request of a loop before its first stop. */
type EarlyRequest = Event & { readonly kind: 'cancel-requested' | 'pause-requested' };

/**
 * Posts an event to the loop of such a file before its first stop: it is journaled, and the file is written as its document requires. A
 * paused loop belongs to the session that stops first and begins only there, with the checks and limits of its hook.
 */
export function* postToWaiting(place: DialectPlace, reading: Document, request: EarlyRequest): Pipeline<Loaded> {
  // A loop that lost its file to this one and that no stop has ended yet.
  const known = yield* loopOfFile(place);
  if (known !== undefined && !isEnded(known.state)) yield* leaveFile(known.state.loop);
  const created = yield* reserveFile(place, null, reading);
  const { loaded } = yield* handleEvent(created.state.loop, request, {}, place.live);
  return loaded ?? created;
}

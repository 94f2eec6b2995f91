import type { FileReading } from '../core/foreign-file.ts';
import { isOwnerSilent } from '../core/foreign-file.ts';
import type { LoopId, SessionRef, State } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import type { Bytes, FileView } from './live-file.ts';
import { isEdited, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** The session that stopped in the project of a dialect's file, and how to tell whether another session is still at work. */
export type Visitor = {
  /** `null` = unknown, so nothing happens. */
  readonly session: SessionRef | null;
  /** When the host last wrote anything for a session, on the wall clock; `undefined` = never. Absent = nobody knows. */
  readonly lastSeenMs?: (session: SessionRef) => number | undefined;
};

/** The programs that run the sessions of loops in state files. */
export type SessionPrograms = {
  /** Notes the program of this hook, where the host names it. */
  readonly note: (loop: LoopId, session: SessionRef) => void;
  /** Has the program of the loop's session ended? `false` = it runs, or nobody knows. */
  readonly isGone: (state: State) => boolean;
};

type Document = FileReading & { kind: 'loop' };

/**
 * The loop of the file, if it still owns it. If the file was replaced, or a hand edit gave it to another session, its old loop is
 * cancelled. If the loop's session is silent and the document names no other, the stopping session gets the loop. A session at work keeps
 * its loop.
 */
export function* settleOwner(visitor: Visitor, view: FileView, sentBack: boolean): Pipeline<Loaded | undefined> {
  const { session } = visitor;
  const { known, reading, bytes } = view;
  if (session === null || known === undefined || isEnded(known.state) || reading?.kind !== 'loop') return known;
  const isOwn = isOwner(known, session);
  const isGone = !isOwn && (yield* isOwnerGone(visitor, known));
  const look = isOwn ? { sentBack } : { isOwnerGone: isGone };
  if (
    (isOwn || mayDriveFile(reading, session)) &&
    (isReplaced(known, view, look) || isGivenAway(known, bytes, reading))
  )
    return yield* leaveFile(known.state.loop);
  return isGone && mayDriveFile(reading, session) && reading.active ? yield* adopt(known, session) : known;
}

/** Ends the loop of a file that is gone or belongs to another loop now. No projection: the current content is not ours. */
export function* leaveFile(loop: LoopId): Pipeline<Loaded | undefined> {
  return (yield* handleEvent(loop, REMOVED)).loaded;
}

/** The event for a file that is gone: its loop is cancelled. */
export const REMOVED = {
  kind: 'file-edited',
  edits: {},
  limits: {},
  counted: 0,
  gone: true,
  because: 'file-removed',
} as const;

/**
 * Has the session of this loop ended, or been silent for too long to be at work? Without `lastSeenMs` nobody knows the latter. A loop that was
 * paused before its first stop has no session yet.
 */
export function* isOwnerGone({ lastSeenMs }: Pick<Visitor, 'lastSeenMs'>, { spec, state }: Loaded): Pipeline<boolean> {
  if (state.sessionLeft === true) return true;
  if (state.session === null) return spec.driver === 'session';
  if (lastSeenMs === undefined) return false;
  const { wallMs } = yield* perform('readClock');
  return isOwnerSilent(Date.parse(state.updatedAt), lastSeenMs(state.session), wallMs);
}

/** Can this session drive the file? */
export function mayDriveFile(reading: Document, session: SessionRef): boolean {
  return reading.session === null || reading.session === session.id;
}

export function isOwner({ state }: Loaded, session: SessionRef): boolean {
  return isSameSession(state.session, session);
}

/** Unless nobody edited it: then we moved the loop, and the power failed before the file was written. */
function isGivenAway({ state }: Loaded, bytes: Bytes, reading: Document): boolean {
  if (state.file !== null && !isEdited(state, bytes)) return false;
  return reading.session !== null && state.session !== null && reading.session !== state.session.id;
}

/** The file names no session, so it is not written. The first to commit gets the loop; the others find its new owner. */
function* adopt({ state: { loop } }: Loaded, session: SessionRef): Pipeline<Loaded | undefined> {
  const { decision, loaded } = yield* handleEvent(loop, { kind: 'session-changed', session });
  if (decision.kind === 'record') yield* perform('bindSession', session, loop);
  return loaded;
}

import type { FileReading } from '../core/foreign-file.ts';
import { isOwnerSilent, isWrittenAtRest } from '../core/foreign-file.ts';
import type { LoopId, SessionRef, State } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import type { FileBytes, FileView, OwnerSigns } from './live-file.ts';
import { isEdited, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** How to tell whether another session is still at work. */
export type Sightings = {
  /** When the host last wrote anything for a session, on the wall clock; `undefined` = never. Absent = unknown. */
  readonly lastSeenMs?: (session: SessionRef) => number | undefined;
  /** When the agent of a session last worked, if the user broke off its turn or the turn failed; `null` = it may be at work. */
  readonly restsSinceMs?: (session: SessionRef) => number | null;
};

/** The session that stopped in the project of a dialect's file. `session`: `null` = unknown, so nothing happens. */
export type Visitor = Sightings & { readonly session: SessionRef | null };

/** The processes that run the sessions of loops in state files. */
export type SessionProcesses = {
  /** Records the process that started this hook, if the host identifies it. */
  readonly note: (loop: LoopId, session: SessionRef) => void;
  /** Has the process of the loop's session ended? `false` = it is running, or unknown. */
  readonly isGone: (state: State) => boolean;
  /** See `Visitor`. `transcript`: the path of the session's transcript. */
  readonly restsSinceMs: (session: SessionRef, transcript: string) => number | null;
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
  const look = isOwn ? { sentBack } : yield* lookFrom(visitor, known, bytes);
  const isGone = look.isOwnerGone === true;
  if (
    (isOwn || mayDriveFile(reading, session)) &&
    (isReplaced(known, view, look) || isGivenAway(known, bytes, reading))
  )
    return yield* leaveFile(known.state.loop);
  return isGone && mayDriveFile(reading, session) && reading.active ? yield* adopt(known, session) : known;
}

/** Ends the loop of a file that is gone or now belongs to another loop. Does not write the file: its content is not ours. */
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
 * Has the session of this loop ended, or been silent for too long to be at work? Without `lastSeenMs`, silence is unknown. A loop that was
 * paused before its first stop has no session yet.
 */
function* isOwnerGone({ lastSeenMs }: Pick<Sightings, 'lastSeenMs'>, { spec, state }: Loaded): Pipeline<boolean> {
  if (state.sessionLeft === true) return true;
  if (state.session === null) return spec.driver === 'session';
  if (lastSeenMs === undefined) return false;
  const { wallMs } = yield* perform('readClock');
  return isOwnerSilent(Date.parse(state.updatedAt), lastSeenMs(state.session), wallMs);
}

/** How a session looks at the file of another session's loop. */
export function* lookFrom(visitor: Sightings, known: Loaded, bytes: FileBytes): Pipeline<OwnerSigns> {
  const { session } = known.state;
  const restsSinceMs = session === null ? null : (visitor.restsSinceMs?.(session) ?? null);
  return {
    isOwnerGone: yield* isOwnerGone(visitor, known),
    isWrittenAtRest: isWrittenAtRest(bytes?.changedMs, restsSinceMs),
  };
}

/** Can this session drive the file? */
export function mayDriveFile(reading: Document, session: SessionRef): boolean {
  return reading.session === null || reading.session === session.id;
}

export function isOwner({ state }: Loaded, session: SessionRef): boolean {
  return isSameSession(state.session, session);
}

/** An unedited file was not given away: we moved the loop, and the power failed before the file was written. */
function isGivenAway({ state }: Loaded, bytes: FileBytes, reading: Document): boolean {
  if (state.file !== null && !isEdited(state, bytes)) return false;
  return reading.session !== null && state.session !== null && reading.session !== state.session.id;
}

/** The file names no session, so it is not written. The first to commit gets the loop; the others see its new owner. */
function* adopt({ state: { loop } }: Loaded, session: SessionRef): Pipeline<Loaded | undefined> {
  const { decision, loaded } = yield* handleEvent(loop, { kind: 'session-changed', session });
  if (decision.kind === 'record') yield* perform('bindSession', session, loop);
  return loaded;
}

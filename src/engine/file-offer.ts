import type { FileOffer, FileReading } from '../core/foreign-file.ts';
import { isOwnerSilent } from '../core/foreign-file.ts';
import type { SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { viewFile } from './loop-of-file.ts';
import { isOwner, lookFrom, mayDriveFile } from './file-owner.ts';
import type { FileView, OwnerSigns } from './live-file.ts';
import { isEdited, isOldCopy, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** What to report to a session about an active file it does not own. `null` = nothing: it owns the file, or will at its next stop. */
export function* offerOfFile(place: DialectPlace): Pipeline<FileOffer | null> {
  const { file, session } = place;
  const view = yield* viewFile(place);
  const { reading, known } = view;
  if (session === null || reading?.kind !== 'loop' || !reading.active) return null;
  if (known === undefined || isEnded(known.state)) return yield* offerOfNamed(place, reading, session);
  const owner = known.state.session;
  if (owner === null || isOwner(known, session)) return null;
  const look = yield* lookFrom(place, known, view.bytes);
  const mayDrive = mayDriveFile(reading, session);
  if (mayDrive && isReplaced(known, view, look)) return null;
  const isRewritten = mayDrive && (isOldCopy(known, view, look) || isEditedAtRest(known, view, look));
  const atWork = isRewritten ? 'rewritten' : 'driven';
  const kind = look.isOwnerGone === true ? (reading.session === null ? 'free' : 'silent') : atWork;
  const paused = known.state.status === 'paused' ? ({ paused: true } as const) : {};
  const ended = known.state.sessionLeft === undefined ? {} : { hasEnded: known.state.sessionLeft };
  return { kind, file, owner: owner.id, ...ended, loop: known.state.loop, ...paused };
}

/** It may be new: only the user knows. */
function isEditedAtRest({ state }: Loaded, { bytes }: FileView, { isWrittenAtRest }: OwnerSigns): boolean {
  return isWrittenAtRest === true && isEdited(state, bytes);
}

function* offerOfNamed(
  { lastSeenMs, file }: DialectPlace,
  reading: FileReading & { kind: 'loop' },
  session: SessionRef,
): Pipeline<FileOffer | null> {
  if (reading.session === null || mayDriveFile(reading, session)) return null;
  const { wallMs } = yield* perform('readClock');
  const seenMs = lastSeenMs?.({ host: session.host, id: reading.session });
  const kind = isOwnerSilent(0, seenMs, wallMs) ? 'named' : 'driven';
  return { kind, file, owner: reading.session, loop: null };
}

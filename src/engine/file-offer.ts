import type { FileOffer, FileReading } from '../core/foreign-file.ts';
import { isOwnerSilent } from '../core/foreign-file.ts';
import type { SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { viewFile } from './loop-of-file.ts';
import { mayDriveFile, isOwner, isOwnerGone } from './file-owner.ts';
import { isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';

/** What to report to a session about an active file it does not own. `null` = nothing: it owns the file, or will at its next stop. */
export function* offerOfFile(place: DialectPlace): Pipeline<FileOffer | null> {
  const { file, session } = place;
  const view = yield* viewFile(place);
  const { reading, known } = view;
  if (session === null || reading?.kind !== 'loop' || !reading.active) return null;
  if (known === undefined || isEnded(known.state)) return yield* offerOfNamed(place, reading, session);
  const owner = known.state.session;
  if (owner === null || isOwner(known, session)) return null;
  const isGone = yield* isOwnerGone(place, known);
  if (mayDriveFile(reading, session) && isReplaced(known, view, { isOwnerGone: isGone })) return null;
  const kind = isGone ? (reading.session === null ? 'free' : 'silent') : 'driven';
  const paused = known.state.status === 'paused' ? ({ paused: true } as const) : {};
  const ended = known.state.sessionLeft === undefined ? {} : { hasEnded: known.state.sessionLeft };
  return { kind, file, owner: owner.id, ...ended, loop: known.state.loop, ...paused };
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

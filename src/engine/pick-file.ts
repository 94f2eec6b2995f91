import { isEnded, isSameSession } from '../core/loop.ts';
import type { SessionRef } from '../core/loop.ts';
import type { DialectPlace } from './dialect-loop.ts';
import { loopOfFile, viewFile } from './dialect-loop.ts';
import { isFor, isOwnerGone } from './file-owner.ts';
import { isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';

export type PickedFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly file: string; readonly why: string }
  | { readonly kind: 'file'; readonly place: DialectPlace };

/** The files of one dialect in one project, and the session that stopped there. */
export type FilesOfProject = {
  readonly dialect: string;
  readonly project: string;
  readonly files: readonly string[];
  readonly session: SessionRef;
  readonly placeOf: (file: string) => DialectPlace;
};

/** The first file whose loop belongs to this session, or else the first that belongs to nobody. */
export function* pickFile(all: FilesOfProject): Pipeline<PickedFile> {
  const places = all.files.map(all.placeOf);
  const vanished = yield* vanishedFile(all);
  if (vanished !== undefined) return { kind: 'file', place: vanished };
  for (const isWanted of [isOwn, isFree])
    for (const place of places) if (yield* isWanted(place, all.session)) return { kind: 'file', place };
  for (const { live, file } of places) {
    const bytes = yield* perform('readFile', live.path);
    const reading = bytes === null ? undefined : live.dialect.read(bytes.text);
    if (reading?.kind === 'invalid') return { kind: 'broken', file, why: reading.why };
  }
  return { kind: 'none' };
}

function* isOwn(place: DialectPlace, session: SessionRef): Pipeline<boolean> {
  const loaded = yield* loopOfFile(place);
  return loaded !== undefined && !isEnded(loaded.state) && isSameSession(loaded.state.session, session);
}

/** It belongs to nobody; its loop lost it to a new file; or its session is silent and the file names none. */
function* isFree(place: DialectPlace, session: SessionRef): Pipeline<boolean> {
  const { bytes, reading, known: loaded } = yield* viewFile(place);
  if (reading?.kind !== 'loop' || !reading.active || !isFor(reading, session)) return false;
  if (loaded === undefined || isEnded(loaded.state) || isReplaced(loaded, bytes, reading)) return true;
  return reading.session === null && (yield* isOwnerGone(place, loaded));
}

/** The file of this session's loop was deleted: the user's way to cancel, which someone has to notice. */
function* vanishedFile(all: FilesOfProject): Pipeline<DialectPlace | undefined> {
  const { dialect, project, files, session, placeOf } = all;
  const loop = yield* perform('loopOfSession', session);
  const loaded = loop === undefined ? undefined : yield* perform('load', loop);
  const of = loaded?.spec.dialect;
  if (loaded === undefined || isEnded(loaded.state) || of?.name !== dialect) return undefined;
  return loaded.state.cwd === project && !files.includes(of.file) ? placeOf(of.file) : undefined;
}

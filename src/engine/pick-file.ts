import { isEnded, isSameSession } from '../core/loop.ts';
import type { SessionRef } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { loopOfFile, viewFile } from './loop-of-file.ts';
import { lookFrom, mayDriveFile } from './file-owner.ts';
import { isReplaced, whyUnreadable } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

export type BrokenFile = { readonly file: string; readonly why: string };

/** The files of one dialect in one project, and the session that stopped there. */
export type FilesOfProject = {
  readonly dialect: string;
  readonly project: string;
  readonly files: readonly string[];
  readonly session: SessionRef;
  readonly placeOf: (file: string) => DialectPlace;
};

/** The first file whose loop belongs to this session, otherwise the first without an owner. `undefined` = there is none. */
export function* pickFile(all: FilesOfProject): Pipeline<DialectPlace | undefined> {
  const vanished = yield* vanishedFile(all);
  if (vanished !== undefined) return vanished;
  const places = all.files.map(all.placeOf);
  for (const isWanted of [isOwn, isFree])
    for (const place of places) if (yield* isWanted(place, all.session)) return place;
  return undefined;
}

/** How many broken files one message names. */
export const BROKEN_SHOWN_MAX = 3;

/** The unreadable files, which have to be reported whatever happens in the others. */
export function* brokenFiles({ files, placeOf }: FilesOfProject): Pipeline<readonly BrokenFile[]> {
  const broken: BrokenFile[] = [];
  for (const { live, file } of files.map(placeOf)) {
    const why = yield* whyUnreadable(live);
    if (why !== null) broken.push({ file, why });
  }
  return broken;
}

function* isOwn(place: DialectPlace, session: SessionRef): Pipeline<boolean> {
  const loaded = yield* loopOfFile(place);
  return loaded !== undefined && !isEnded(loaded.state) && isSameSession(loaded.state.session, session);
}

/** It has no owner, a new file displaced its loop, or its session is silent and the file names none. */
function* isFree(place: DialectPlace, session: SessionRef): Pipeline<boolean> {
  const view = yield* viewFile(place);
  const { reading, known: loaded } = view;
  if (reading?.kind !== 'loop' || !reading.active || !mayDriveFile(reading, session)) return false;
  if (loaded === undefined || isEnded(loaded.state)) return true;
  const look = yield* lookFrom(place, loaded, view.bytes);
  return isReplaced(loaded, view, look) || (look.isOwnerGone === true && reading.session === null);
}

/** Does another session that is at work own the loop of this file? */
export function* isDrivenElsewhere(place: DialectPlace, loaded: Loaded): Pipeline<boolean> {
  const { session } = loaded.state;
  if (session === null || isSameSession(session, place.session)) return false;
  const view = yield* viewFile(place);
  const look = yield* lookFrom(place, loaded, view.bytes);
  return look.isOwnerGone !== true && !isReplaced(loaded, view, look);
}

/** The file of this session's loop was deleted, which is how the user cancels; this is where that is noticed. */
function* vanishedFile(all: FilesOfProject): Pipeline<DialectPlace | undefined> {
  const { dialect, project, files, session, placeOf } = all;
  const loop = yield* perform('loopOfSession', session);
  const loaded = loop === undefined ? undefined : yield* perform('load', loop);
  const of = loaded?.spec.dialect;
  if (loaded === undefined || isEnded(loaded.state) || of?.name !== dialect) return undefined;
  return loaded.state.cwd === project && !files.includes(of.file) ? placeOf(of.file) : undefined;
}

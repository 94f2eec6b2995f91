import type { SessionRef } from '../core/loop.ts';
import type { Visitor } from './file-owner.ts';
import type { FileView, LiveFile } from './live-file.ts';
import { readLiveFile } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** The place of a foreign file. Its loop is found by the file's path and belongs to one session. */
export type DialectPlace = Visitor & {
  readonly live: LiveFile;
  /** The project, absolute; the spec keeps only the path relative to it. */
  readonly cwd: string;
  readonly file: string;
};

/** Each lost try is progress made by another stop. */
const VIEW_TRIES_MAX = 100;

/**
 * A consistent view of a file and its loop. Bytes read before other stops were counted look like a lowered counter, and so like a new file.
 * The loop is therefore loaded before and after the file is read, until it did not change in between.
 */
export function* viewFile(place: Pick<DialectPlace, 'live'>): Pipeline<FileView> {
  let known = yield* loopOfFile(place);
  for (let attempt = 0; ; attempt++) {
    const seen = yield* readLiveFile(place.live);
    const after = yield* loopOfFile(place);
    if (after?.head.hash === known?.head.hash || attempt >= VIEW_TRIES_MAX) return { ...seen, known: after };
    known = after;
  }
}

/** The loop that a dialect's file belongs to, according to the journal. */
export function* loopOfFile(place: Pick<DialectPlace, 'live'>): Pipeline<Loaded | undefined> {
  const loop = yield* perform('loopOfSession', fileRef(place));
  return loop === undefined ? undefined : yield* perform('load', loop);
}

/** A file's loop is bound like a session's loop: under one derived path. */
export function fileRef({ live }: Pick<DialectPlace, 'live'>): SessionRef {
  return { host: `dialect-${live.dialect.name}`, id: live.path };
}

import type { DialectPort, FileReading } from '../core/foreign-file.ts';
import { isContinuation } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { FileMark, State } from '../core/loop.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** The dialect's file of one loop: input of its events and projection of its state. Absolute path. */
export type LiveFile = { readonly dialect: DialectPort; readonly path: string };

/**
 * A file that others keep changing between our look and our rename is left to them after this many tries. Generous, because each
 * lost try is another stop's progress, and whoever gives up right after its own rename would leave an older counter behind.
 */
const REPLACE_TRIES_MAX = 100;

export type Bytes = { readonly text: string; readonly hash: string; readonly changedMs?: number } | null;

/** A file and the loop that lives in it, as they were at one moment. */
export type FileView = {
  readonly bytes: Bytes;
  readonly reading: FileReading | null;
  readonly known: Loaded | undefined;
};

/** Did someone edit the file, or is it what we read or wrote before? */
export function isEdited({ file: mark, updatedAt }: Pick<State, 'file' | 'updatedAt'>, bytes: Bytes): boolean {
  const hash = bytes?.hash ?? null;
  if (mark === null) return hash === null;
  if (hash === mark.written) return false;
  if (hash !== null && mark.older.includes(hash)) return false;
  // What we read and were about to replace, when the power failed; written again after that commit, it is someone's.
  return hash !== mark.read || (bytes?.changedMs !== undefined && Math.floor(bytes.changedMs) > Date.parse(updatedAt));
}

/**
 * Does another file stand in the place of the one that this loop lives in? Only a file that someone edited can be another one.
 * `isAgentsTurn`: see `isContinuation`.
 */
export function isReplaced(
  { asked, state }: Pick<Loaded, 'asked' | 'state'>,
  bytes: Bytes,
  reading: FileReading | null,
  isAgentsTurn = false,
): boolean {
  if (state.file === null || reading?.kind !== 'loop' || !isEdited(state, bytes)) return false;
  return !isContinuation({ identity: asked.dialect?.identity, counted: state.file.counted }, reading, isAgentsTurn);
}

/** Are these the bytes that the loop itself read or wrote last? */
export function isOwnText(mark: FileMark | null, bytes: NonNullable<Bytes>): boolean {
  return bytes.hash === mark?.written || bytes.hash === mark?.read;
}

/** After the end of its loop: does the file begin something new, or is it what that loop read or left? */
export function beginsAnew({ file, endedAt, outcome }: State, bytes: NonNullable<Bytes>): boolean {
  // That loop let go of its file because it was gone, or because this one stood in its place.
  if (outcome?.kind === 'cancelled' && outcome.because === 'file-removed') return true;
  if (bytes.hash === file?.written) return false;
  if (bytes.hash !== file?.read) return true;
  // What the loop was about to replace or remove: left over when the power failed before that, new when it was written later.
  if (endedAt === null || bytes.changedMs === undefined) return false;
  return Math.floor(bytes.changedMs) > Date.parse(endedAt);
}

/** What is to be written, and its hash, before the commit that says so. */
export function* planProjection(
  live: LiveFile,
  bytes: Bytes,
  loop: Loop,
): Pipeline<{ read: string | null; written: string | null; counted?: number }> {
  const text = live.dialect.project(bytes?.text ?? null, loop);
  const read = bytes?.hash ?? null;
  if (text === null) return { read, written: null };
  const shown = live.dialect.read(text);
  const written = yield* perform('hashText', text);
  return { read, written, ...(shown.kind === 'loop' ? { counted: shown.counted } : {}) };
}

/**
 * After the commit. If the file changed meanwhile, only our own keys go into the new bytes. Who renames last looks whether the loop went
 * on meanwhile, and then writes where it stands now: a slow writer leaves no older counter behind.
 */
export function* project(live: LiveFile, seen: Bytes, committed: Loaded): Pipeline<void> {
  let bytes = seen;
  let loop = committed;
  for (let attempt = 0; attempt < REPLACE_TRIES_MAX; attempt++) {
    const text = live.dialect.project(bytes?.text ?? null, loop);
    const same = text === (bytes?.text ?? null);
    if (same || (yield* perform('replaceFile', live.path, bytes?.hash ?? null, text, loop.state.loop)) === 'replaced') {
      const newest = same ? undefined : yield* perform('load', loop.state.loop);
      if (newest === undefined || newest.head.revision <= loop.head.revision) return;
      loop = newest;
    }
    bytes = yield* perform('readFile', live.path);
    // Removed by hand in between: that is a cancel at the next event, not something to undo.
    if (bytes === null) return;
  }
}

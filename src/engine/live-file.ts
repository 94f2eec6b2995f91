import type { Event } from '../core/event.ts';
import { isFault } from '../core/fault.ts';
import type { DialectPort, FileReading, FileRelation } from '../core/foreign-file.ts';
import { relationOfFile } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { Limits, State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { FoundBytes, Loaded } from './ports.ts';

/** The dialect's file of one loop: input of its events and projection of its state. Absolute path. */
export type LiveFile = { readonly dialect: DialectPort; readonly path: string };

/**
 * A file that others keep changing between our look and our rename is left to them after this many tries. Generous, because each
 * lost try is another stop's progress, and whoever gives up right after its own rename would leave an older counter behind.
 */
const REPLACE_TRIES_MAX = 100;

export type Bytes = FoundBytes | null;

/** A file and the loop that lives in it, as they were at one moment. */
export type FileView = {
  /** `null` = it is gone, or cannot be read: then `reading` says so. */
  readonly bytes: Bytes;
  readonly reading: FileReading | null;
  readonly known: Loaded | undefined;
};

/**
 * The file and what it says. A file that the system does not let us read is like one whose text means nothing: the agent may stop, and other
 * files are not affected.
 */
export function* readLiveFile(live: LiveFile): Pipeline<Pick<FileView, 'bytes' | 'reading'>> {
  try {
    const bytes = yield* perform('readFile', live.path);
    return { bytes, reading: bytes === null ? null : live.dialect.read(bytes.text) };
  } catch (error) {
    if (!isFault(error) || error.code !== 'STORE_UNREADABLE') throw error;
    return { bytes: null, reading: { kind: 'invalid', why: error.message } };
  }
}

/** Why the file cannot be read, for those who name it; `null` = it can. */
export function* whyUnreadable(live: LiveFile): Pipeline<string | null> {
  const { reading } = yield* readLiveFile(live);
  if (reading?.kind !== 'invalid') return null;
  return reading.why.replace(`Cannot read ${live.path}: `, '').replace(/\.$/u, '');
}

/**
 * The file as a resume writes it: there, active and with the limits in force. Whoever reads, edits or deletes it afterwards finds the loop
 * in it, also where its document takes the file away at the end.
 */
export function fileForEvent(live: LiveFile, event: Event): LiveFile {
  if (event.kind !== 'resume-requested') return live;
  const { dialect } = live;
  const { limits = {} } = event;
  const projectResumed: DialectPort['project'] = (text, loop) => {
    if (isEnded(loop.state)) return dialect.project(text, loop);
    if (text === null) return dialect.newText?.(loop) ?? null;
    return dialect.project(dialect.resumed?.(text, limitsInFile(limits, loop)) ?? text, loop);
  };
  return { ...live, dialect: { ...dialect, project: projectResumed } };
}

/** The turns before the document's first iteration are in our maximum, and not in the document's. */
function limitsInFile(limits: Partial<Limits>, { spec }: Loop): Partial<Limits> {
  const { iterationsMax } = limits;
  const { turnsBefore = 0 } = spec.dialect ?? {};
  return typeof iterationsMax === 'number' ? { ...limits, iterationsMax: iterationsMax - turnsBefore } : limits;
}

/** Did someone edit the file, or is it what we read or wrote before? */
export function isEdited({ file: mark, updatedAt }: Pick<State, 'file' | 'updatedAt'>, bytes: Bytes): boolean {
  const hash = bytes?.hash ?? null;
  if (mark === null) return hash === null;
  if (hash === mark.written) return false;
  // An earlier text is a late write of ours, or someone set the counter back to it.
  if (hash !== null && mark.older.includes(hash)) return bytes?.isOurs === false;
  // What we read and were about to replace, when the power failed; written again after that commit, it is someone's.
  return (
    hash === null ||
    hash !== mark.read ||
    (bytes?.changedMs !== undefined && Math.floor(bytes.changedMs) > Date.parse(updatedAt))
  );
}

/**
 * Who looks at a file. A stop of the loop's own session knows who began its turn (`sentBack`). Everyone else takes the agent of a running loop
 * for one at work, unless its session is known to be gone.
 */
type Look = { readonly sentBack?: boolean; readonly isOwnerGone?: boolean };

/** What the file is to its loop: see `relationOfFile`. Only a file that someone edited can be anything but a continuation. */
function relationTo(
  { spec, state }: Pick<Loaded, 'spec' | 'state'>,
  { bytes, reading }: Pick<FileView, 'bytes' | 'reading'>,
  look: Look = {},
): FileRelation {
  if (state.file === null || reading?.kind !== 'loop' || !isEdited(state, bytes)) return 'continuation';
  const isGone = look.isOwnerGone === true || state.sessionLeft === true;
  const mayBeAgents = look.sentBack ?? (state.status === 'running' && !isGone);
  return relationOfFile({ identity: spec.dialect?.identity, counted: state.file.counted }, reading, mayBeAgents);
}

/** Does another file stand in the place of the one that this loop lives in? */
export function isReplaced(
  loaded: Pick<Loaded, 'spec' | 'state'>,
  view: Pick<FileView, 'bytes' | 'reading'>,
  look: Look = {},
): boolean {
  return relationTo(loaded, view, look) === 'new-loop';
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

type Projection = {
  /** `null` = the document wants the file gone. */
  readonly text: string | null;
  readonly mark: { readonly read: string | null; readonly written: string | null; readonly counted?: number };
};

/** What is to be written, and its hash, before the commit that says so. */
export function* planProjection(live: LiveFile, bytes: Bytes, loop: Loop): Pipeline<Projection> {
  const text = live.dialect.project(bytes?.text ?? null, loop);
  const read = bytes?.hash ?? null;
  if (text === null) return { text, mark: { read, written: null } };
  const shown = live.dialect.read(text);
  const written = yield* perform('hashText', text);
  return { text, mark: { read, written, ...(shown.kind === 'loop' ? { counted: shown.counted } : {}) } };
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

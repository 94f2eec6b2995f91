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

/** The dialect's file of one loop: the input for its events and the output of its state. Absolute path. */
export type LiveFile = { readonly dialect: DialectPort; readonly path: string };

/**
 * If others keep changing the file between our read and our rename, we give up after this many tries. Generous, because each lost try
 * is progress made by another stop, and giving up right after our own rename would leave an older counter behind.
 */
const REPLACE_TRIES_MAX = 100;

export type FileBytes = FoundBytes | null;

/** A consistent view of a file and the loop that lives in it. */
export type FileView = {
  /** `null` = missing or unreadable; `reading` tells which. */
  readonly bytes: FileBytes;
  readonly reading: FileReading | null;
  readonly known: Loaded | undefined;
};

/** The file and its reading. An unreadable file is treated like an invalid one: the agent may stop, and other files are not affected. */
export function* readLiveFile(live: LiveFile): Pipeline<Pick<FileView, 'bytes' | 'reading'>> {
  try {
    const bytes = yield* perform('readFile', live.path);
    return { bytes, reading: bytes === null ? null : live.dialect.read(bytes.text) };
  } catch (error) {
    if (!isFault(error) || error.code !== 'STORE_UNREADABLE') throw error;
    return { bytes: null, reading: { kind: 'invalid', why: error.message } };
  }
}

/** Why the file cannot be read, for a message that names the file; `null` = it can be read. */
export function* whyUnreadable(live: LiveFile): Pipeline<string | null> {
  const { reading } = yield* readLiveFile(live);
  if (reading?.kind !== 'invalid') return null;
  return reading.why.replace(`Cannot read ${live.path}: `, '').replace(/\.$/u, '');
}

/**
 * The file as a resume writes it: present, active and with the limits in force. Anyone who reads, edits or deletes it afterwards finds the
 * loop there, even if its document removes the file at the end.
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

/** Our maximum includes the turns before the document's first iteration; the document's does not. */
function limitsInFile(limits: Partial<Limits>, { spec }: Loop): Partial<Limits> {
  const { iterationsMax } = limits;
  const { turnsBefore = 0 } = spec.dialect ?? {};
  return typeof iterationsMax === 'number' ? { ...limits, iterationsMax: iterationsMax - turnsBefore } : limits;
}

/** Did someone edit the file? Otherwise it is what we read or wrote before. */
export function isEdited({ file: mark, updatedAt }: Pick<State, 'file' | 'updatedAt'>, bytes: FileBytes): boolean {
  const hash = bytes?.hash ?? null;
  if (mark === null) return hash === null;
  if (hash === mark.written) return false;
  // An earlier text of ours: either a late write, or someone restored an old copy.
  if (hash !== null && mark.older.includes(hash)) return bytes?.isOurs === false;
  // The bytes that we read and were about to replace when the power failed. If they were written after that commit, someone else did it.
  return (
    hash === null ||
    hash !== mark.read ||
    (bytes?.changedMs !== undefined && Math.floor(bytes.changedMs) > Date.parse(updatedAt))
  );
}

/**
 * Who reads the file. A stop of the loop's own session knows who began its turn (`sentBack`). Everyone else assumes that the agent of a
 * running loop is at work, unless its session is known to be gone, or to have rested when the file was written.
 */
export type OwnerSigns = {
  readonly sentBack?: boolean;
  readonly isOwnerGone?: boolean;
  readonly isWrittenAtRest?: boolean;
};

/** How the file relates to its loop: see `relationOfFile`. Only an edited file can be anything but a continuation. */
function relationTo(
  { spec, state }: Pick<Loaded, 'spec' | 'state'>,
  { bytes, reading }: Pick<FileView, 'bytes' | 'reading'>,
  look: OwnerSigns = {},
): FileRelation {
  if (state.file === null || reading?.kind !== 'loop' || !isEdited(state, bytes)) return 'continuation';
  const isGone = look.isOwnerGone === true || state.sessionLeft === true;
  const isOthers = isGone || look.isWrittenAtRest === true;
  const mayBeAgents = look.sentBack ?? (state.status === 'running' && !isOthers);
  return relationOfFile({ identity: spec.dialect?.identity, counted: state.file.counted }, reading, mayBeAgents);
}

/** Has another file taken the place of this loop's file? */
export function isReplaced(
  loaded: Pick<Loaded, 'spec' | 'state'>,
  view: Pick<FileView, 'bytes' | 'reading'>,
  look: OwnerSigns = {},
): boolean {
  return relationTo(loaded, view, look) === 'new-loop';
}

/** Was its counter lowered in a turn that the loop asked for? A difference of one comes from an agent that counts too. */
export function isOldCopy(
  loaded: Pick<Loaded, 'spec' | 'state'>,
  view: Pick<FileView, 'bytes' | 'reading'>,
  look: OwnerSigns,
): boolean {
  if (relationTo(loaded, view, look) !== 'old-copy' || view.reading?.kind !== 'loop') return false;
  const { agentCounts, counted } = view.reading;
  return agentCounts !== true || counted + 1 < (loaded.state.file?.counted ?? 0);
}

/** After the end of its loop: does the file start a new loop, or is it what that loop read or left behind? */
export function startsNewLoop({ file, endedAt, outcome }: State, bytes: NonNullable<FileBytes>): boolean {
  // The ended loop gave up its file, because it was missing or replaced by this one.
  if (outcome?.kind === 'cancelled' && outcome.because === 'file-removed') return true;
  if (bytes.hash === file?.written) return false;
  if (bytes.hash !== file?.read) return true;
  // The bytes that the loop was about to replace or remove: left over if the power failed before that, new if they were written later.
  if (endedAt === null || bytes.changedMs === undefined) return false;
  return Math.floor(bytes.changedMs) > Date.parse(endedAt);
}

type Projection = {
  /** `null` = the document wants the file removed. */
  readonly text: string | null;
  readonly mark: { readonly read: string | null; readonly written: string | null; readonly counted?: number };
};

/** The text that will be written, and its hash, computed before the commit that records it. */
export function* planProjection(live: LiveFile, bytes: FileBytes, loop: Loop): Pipeline<Projection> {
  const text = live.dialect.project(bytes?.text ?? null, loop);
  const read = bytes?.hash ?? null;
  if (text === null) return { text, mark: { read, written: null } };
  const shown = live.dialect.read(text);
  const written = yield* perform('hashText', text);
  return { text, mark: { read, written, ...(shown.kind === 'loop' ? { counted: shown.counted } : {}) } };
}

/**
 * Called after the commit. If the file changed in between, only our own keys are put into the new bytes. After the rename, the writer
 * checks whether the loop has advanced, and if so writes its current state: a slow writer leaves no older counter behind. Returns whether
 * there was anything to write.
 */
export function* project(live: LiveFile, seen: FileBytes, committed: Loaded): Pipeline<boolean> {
  let bytes = seen;
  let loop = committed;
  for (let attempt = 0; attempt < REPLACE_TRIES_MAX; attempt++) {
    const text = live.dialect.project(bytes?.text ?? null, loop);
    const same = text === (bytes?.text ?? null);
    if (same || (yield* perform('replaceFile', live.path, bytes?.hash ?? null, text, loop.state.loop)) === 'replaced') {
      const newest = same ? undefined : yield* perform('load', loop.state.loop);
      if (newest === undefined || newest.head.revision <= loop.head.revision) return !same || attempt > 0;
      loop = newest;
    }
    bytes = yield* perform('readFile', live.path);
    // Removed by hand in between: the next event treats that as a cancel, so it is not restored here.
    if (bytes === null) return false;
  }
  return false;
}

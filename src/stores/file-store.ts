/**
 * Loops kept as files, one directory each; the journal in it is the truth. THE commit point is one appended line that follows the hash
 * it was decided from, then one `fdatasync`. There is no lock: of two lines that follow the same hash the first is committed and the
 * other is void for every reader, and its writer is told `conflict`. Kill any process or cut the power anywhere: the next load sees
 * the last commit. Blobs are durable before the line that names them; snapshots are a cache, and failing to write one fails nothing.
 * Throws Fault only; a Fault from `commit` after a full or failing disk may leave the entry committed and not acknowledged.
 */
import { readdirSync, statSync } from 'node:fs';
import { assert, Fault, isFault } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import type { LoopId } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { CommitResult, Draft, Head, ListFilter, Loaded, Store } from '../engine/ports.ts';
import { errnoOf } from '../system/errno.ts';
import { networkFileSystem } from '../system/file-system-kind.ts';
import { storeFault, syncDirectory } from '../system/files.ts';
import { newId } from '../system/ids.ts';
import { appendEntry, syncJournal } from './append-entry.ts';
import type { CrashPoint } from './crash-point.ts';
import type { Cursor } from './cursor.ts';
import { loadedOf, newCursor, readQuick, readWhole } from './cursor.ts';
import type { Cursors } from './cursors.ts';
import { openCursors } from './cursors.ts';
import { makeDurableDir } from './durable-dir.ts';
import { hashAt, revisionOf } from './journal-chain.ts';
import type { LoopFiles } from './loop-files.ts';
import { asking, filesIn, filesOf, loopsDir } from './loop-files.ts';
import { bindFirst, bindSession, loopOfSession } from './sessions.ts';
import { endedLength, isSnapshotDue, writeSnapshot } from './snapshot.ts';
import { watchJournal } from './watch-journal.ts';

export type FileStoreOptions = {
  readonly home: string;
  /** For tests: called where a process can die that matters. */
  readonly crashPoint?: (name: CrashPoint) => void;
  /** For what a user should know and nothing fails for. */
  readonly warn?: (sentence: string) => void;
};

/** What reading a journal met. `fault` = why it cannot be used; then the figures are those up to the damage. */
type JournalHealth = {
  readonly revision: number;
  readonly torn: number;
  readonly voided: number;
  readonly fault: Fault | null;
};

export type FileStore = Store & {
  readonly health: (loop: LoopId) => JournalHealth;
  /** Lets go of open files. The store can still be used. */
  readonly close: () => void;
};

export function openFileStore(given: FileStoreOptions): FileStore {
  const options = { ...given, ...(given.warn === undefined ? {} : { warn: onceEach(given.warn) }) };
  const { home } = options;
  refuseUnusable(home);
  const cursors = openCursors(home);
  const commitLine = lineCommitter(options, cursors);
  return {
    load: (loop) => loadedOf(cursors.current(loop)),
    create: (loop, draft) => {
      assert(draft.event.kind === 'loop-started' && draft.event.loop === loop, 'a loop begins with its own start');
      const files = filesOf(home, loop);
      makeDurableDir(files.dir);
      options.crashPoint?.('after-create-dir');
      const result = commitLine(loop, null, draft);
      if (result.kind === 'committed') asking(files.dir, 'write', () => syncDirectory(files.dir));
      return result;
    },
    commit: commitLine,
    entries: (loop) => allEntries(filesOf(home, loop)),
    list: (filter) => listLoops(options, filter),
    watch: (loop, changed) => watchJournal(filesOf(home, loop), changed),
    bindSession: (session, loop) => bindSession(home, session, loop),
    bindFirst: (session, loop, was) => bindFirst(home, session, loop, was),
    loopOfSession: (session) => loopOfSession(home, session),
    health: (loop) => healthOf(filesOf(home, loop)),
    close: cursors.close,
  };
}

/** A command may look at the list several times; a user needs to be told once. */
function onceEach(warn: (sentence: string) => void): (sentence: string) => void {
  const told = new Set<string>();
  return (sentence) => {
    if (told.has(sentence)) return;
    told.add(sentence);
    warn(sentence);
  };
}

/** `head` is `null` for the first entry. */
type CommitLine = (loop: LoopId, head: Head | null, draft: Draft) => CommitResult;

function lineCommitter(options: FileStoreOptions, cursors: Cursors): CommitLine {
  const { crashPoint } = options;
  const opened = newId();
  let lines = 0;
  let isWarned = false;
  return (loop, head, draft) => {
    if (!isWarned) warnOfNetwork(options);
    isWarned = true;
    let cursor = cursors.again(loop);
    if (hashAt(cursor.scan.chain, revisionOf(cursor.scan.chain)) !== (head?.hash ?? null)) return { kind: 'conflict' };
    lines += 1;
    const appended = appendEntry(cursor, draft, { isFirst: head === null, writer: `${opened}-${lines}`, crashPoint });
    if (!appended.isAlone) {
      cursor = cursors.current(loop);
      if (hashAt(cursor.scan.chain, appended.revision) !== appended.hash) return { kind: 'conflict' };
    }
    syncJournal(cursor);
    crashPoint?.('after-sync');
    keepSnapshot(cursor, options);
    const loaded = loadedOf(cursor);
    assert(loaded !== undefined, 'a committed loop can be loaded');
    return { kind: 'committed', loaded };
  };
}

/** The commit is done: whatever happens here is only told. */
function keepSnapshot(cursor: Cursor, { crashPoint, warn }: FileStoreOptions): void {
  const { files, loop, scan } = cursor;
  const revision = revisionOf(scan.chain);
  const hash = hashAt(scan.chain, revision);
  const mark = { revision, end: scan.end, at: scan.last.at };
  if (loop === null || typeof hash !== 'string' || !isSnapshotDue(loop, mark, cursor.snapshot)) return;
  crashPoint?.('before-snapshot');
  try {
    writeSnapshot(files.snapshot, { ...mark, hash, ...scan.last, loop });
    cursor.snapshot = mark;
  } catch (error) {
    if (!isFault(error)) throw error;
    warn?.(`The loop was saved, but not its snapshot, so lists will be slower. ${error.message}`);
  }
  crashPoint?.('after-snapshot');
}

/** One loop that cannot be read hides no other: it is told of and left out. */
function listLoops({ home, warn }: FileStoreOptions, filter: ListFilter): readonly Loaded[] {
  return loopNames(loopsDir(home)).flatMap((name) => {
    const files = filesIn(home, name);
    try {
      if (filter.ended === false && hasSurelyEnded(files)) return [];
      const loaded = readQuick(files) ?? readFully(files);
      return loaded !== undefined && (filter.ended === 'both' || filter.ended === isEnded(loaded.state))
        ? [loaded]
        : [];
    } catch (error) {
      // Also when it is a bug of ours: people look at the list to see what is wrong.
      warn?.(`A loop is left out of the list: ${files.dir}. ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
}

/** Sorted, which is by start: ids begin with the time. */
function loopNames(dir: string): readonly string[] {
  try {
    const found = readdirSync(dir, { withFileTypes: true });
    return found
      .filter((one) => one.isDirectory() || one.isSymbolicLink())
      .map((one) => one.name)
      .toSorted();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw storeFault(error, dir, 'read');
  }
}

/** Most loops of a long history are; they need not be folded to be left out. */
function hasSurelyEnded(files: LoopFiles): boolean {
  const length = endedLength(files.snapshot);
  if (length === undefined) return false;
  return asking(files.journal, 'read', () => statSync(files.journal, { throwIfNoEntry: false }))?.size === length;
}

function readFully(files: LoopFiles): Loaded | undefined {
  const cursor = newCursor(files);
  readWhole(cursor);
  return loadedOf(cursor);
}

function allEntries(files: LoopFiles): readonly Entry[] {
  const entries: Entry[] = [];
  const cursor = newCursor(files);
  readWhole(cursor, undefined, (entry) => entries.push(entry));
  loadedOf(cursor);
  return entries;
}

function healthOf(files: LoopFiles): JournalHealth {
  const cursor = newCursor(files);
  let fault: Fault | null = null;
  try {
    readWhole(cursor);
    loadedOf(cursor);
  } catch (error) {
    if (!isFault(error)) throw error;
    fault = error;
  }
  const { chain, torn, voided } = cursor.scan;
  return { revision: revisionOf(chain), torn, voided, fault };
}

function refuseUnusable(home: string): void {
  const advice = 'Move away what stands in its place, or set TIRELESS_HOME to a directory of your own.';
  let isFile: boolean;
  try {
    isFile = statSync(home, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new Fault('HOME_UNUSABLE', `Cannot keep loops in ${home}: ${errno}. ${advice}`, { cause: error });
  }
  if (isFile) throw new Fault('HOME_UNUSABLE', `Cannot keep loops in ${home}: it is not a directory. ${advice}`);
}

function warnOfNetwork({ home, warn }: FileStoreOptions): void {
  if (warn === undefined) return;
  const kind = networkFileSystem(home);
  if (kind === undefined) return;
  warn(
    `Loops are kept in ${home}, which is on a network file system (${kind}): there two machines that write at once can overwrite each other. Drive each loop from one machine only, or set TIRELESS_HOME to a local disk.`,
  );
}

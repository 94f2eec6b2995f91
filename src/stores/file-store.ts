/**
 * Loops kept as files, one directory each; the journal in it is the truth. THE commit point is one appended line that follows the hash
 * it was decided from, then one `fdatasync`. There is no lock: if two lines follow the same hash, the first is committed and the other
 * is void for every reader, and its writer gets `conflict`. Kill any process or cut the power anywhere: the next load sees
 * the last commit. Blobs are durable before the line that names them; snapshots are a cache, and failing to write one fails nothing.
 * Throws only Fault; a Fault from `commit` after a full or failing disk may leave the entry committed but not acknowledged.
 */
import { readdirSync, statSync } from 'node:fs';
import type { Fault } from '../core/fault.ts';
import { assert, isFault, messageOf } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import type { LoopId } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { isTimed } from '../core/overdue.ts';
import type { ListFilter, Loaded, Store } from '../engine/ports.ts';
import { errnoOf } from '../system/errno.ts';
import { networkFileSystem } from '../system/file-system-kind.ts';
import { storeFault, syncDirectory } from '../system/files.ts';
import { loadedOf, newCursor, readQuick, readWhole } from './cursor.ts';
import { makeDurableDir } from './durable-dir.ts';
import { revisionOf } from './journal-chain.ts';
import { renewSnapshot } from './keep-snapshot.ts';
import type { LineStoreOptions } from './line-store.ts';
import { openLineStore } from './line-store.ts';
import type { LoopFiles } from './loop-files.ts';
import { withStoreFaults, filesIn, filesOf, loopsDir } from './loop-files.ts';
import { loopOfSession } from './session-binding.ts';
import { bindFirst, bindSession } from './sessions.ts';
import { endedLength } from './snapshot.ts';
import { watchJournal } from './watch-journal.ts';

export type FileStoreOptions = Omit<LineStoreOptions, 'beforeFirst' | 'quick'>;

/** Findings from reading a journal. `fault`: why it cannot be used; the figures then cover the part before the damage. */
type JournalHealth = {
  readonly revision: number;
  readonly torn: number;
  readonly voided: number;
  readonly fault: Fault | null;
};

export type FileStore = Store & {
  readonly health: (loop: LoopId) => JournalHealth;
  /** Closes open files. The store can still be used. */
  readonly close: () => void;
};

export function openFileStore(given: FileStoreOptions): FileStore {
  const options = { ...given, ...(given.warn === undefined ? {} : { warn: onceEach(given.warn) }) };
  const { home } = options;
  const { load, commit: commitLine, close } = openLineStore({ ...options, beforeFirst: () => warnOfNetwork(options) });
  const binder = { home, isTimed: (loop: LoopId) => mayBeTimed(() => load(loop)) };
  return {
    load,
    create: (loop, draft) => {
      assert(draft.event.kind === 'loop-started' && draft.event.loop === loop, 'a loop begins with its own start');
      const files = filesOf(home, loop);
      makeDurableDir(files.dir);
      options.crashPoint?.('after-create-dir');
      const result = commitLine(loop, null, draft);
      if (result.kind === 'committed') withStoreFaults(files.dir, 'write', () => syncDirectory(files.dir));
      return result;
    },
    commit: commitLine,
    entries: (loop) => allEntries(filesOf(home, loop)),
    list: (filter) => listLoops(options, filter),
    watch: (loop, changed) => watchJournal(filesOf(home, loop), changed),
    bindSession: (session, loop) => bindSession(binder, session, loop),
    bindFirst: (session, loop, was) => bindFirst(binder, session, loop, was),
    loopOfSession: (session) => loopOfSession(home, session),
    health: (loop) => healthOf(filesOf(home, loop)),
    close,
  };
}

function mayBeTimed(load: () => Loaded | undefined): boolean {
  try {
    const loaded = load();
    return loaded === undefined || isTimed(loaded.spec);
  } catch (error) {
    if (!isFault(error)) throw error;
    return true; // A broken loop counts as open, and whoever drives it reports the damage.
  }
}

/** A command may read the list several times, but the user needs only one warning. */
function onceEach(warn: (sentence: string) => void): (sentence: string) => void {
  const warned = new Set<string>();
  return (sentence) => {
    if (warned.has(sentence)) return;
    warned.add(sentence);
    warn(sentence);
  };
}

/** A loop that cannot be read hides no other: it is reported and left out. */
function listLoops({ home, warn }: FileStoreOptions, filter: ListFilter): readonly Loaded[] {
  return loopNames(loopsDir(home)).flatMap((name) => {
    const files = filesIn(home, name);
    try {
      if (filter.ended === false && hasSurelyEnded(files)) return [];
      const quick = readQuick(files);
      const loaded = quick === undefined ? readFully(files) : loadedOf(quick);
      if (loaded === undefined) warnOfNoEntry(files, warn);
      return loaded !== undefined && (filter.ended === 'both' || filter.ended === isEnded(loaded.state))
        ? [loaded]
        : [];
    } catch (error) {
      // Even if it is a bug in tireless: people look at the list to see what is wrong.
      warn?.(`A loop is left out of the list: ${files.dir}. ${messageOf(error)}`);
      return [];
    }
  });
}

/** Bytes without an entry: the first line was cut off, or the process that began the loop was killed while writing it. */
function warnOfNoEntry({ dir, journal }: LoopFiles, warn: FileStoreOptions['warn']): void {
  const size = withStoreFaults(journal, 'read', () => statSync(journal, { throwIfNoEntry: false }))?.size ?? 0;
  if (size > 0)
    warn?.(
      `A loop is left out of the list: ${dir}. Its journal has no whole entry: its first line was cut off, or the program was killed while the loop began. Restore it from a backup, or remove the directory.`,
    );
}

/** Sorted by start time: ids begin with it. */
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

/** Most loops of a long history have ended; they need not be folded to be left out. */
function hasSurelyEnded(files: LoopFiles): boolean {
  const length = endedLength(files.snapshot);
  if (length === undefined) return false;
  return (
    withStoreFaults(files.journal, 'read', () => statSync(files.journal, { throwIfNoEntry: false }))?.size === length
  );
}

function readFully(files: LoopFiles): Loaded | undefined {
  const cursor = newCursor(files);
  readWhole(cursor);
  const loaded = loadedOf(cursor);
  renewSnapshot(cursor);
  return loaded;
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

function warnOfNetwork({ home, warn }: FileStoreOptions): void {
  if (warn === undefined) return;
  const kind = networkFileSystem(home);
  if (kind === undefined) return;
  warn(
    `Loops are kept in ${home}, which is on a network file system (${kind}): two machines that write at once can overwrite each other. Drive each loop from one machine only, or set TIRELESS_HOME to a local disk.`,
  );
}

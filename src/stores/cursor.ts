/**
 * What a process knows about one loop: how far it has read the journal, and the state folded so far. The first look reads and checks the
 * whole journal; later ones read only new bytes, or everything again if the file is not the one it knew.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Entry, Loop } from '../core/journal.ts';
import { foldEntry } from '../core/journal.ts';
import { completeEntry } from '../core/older-shapes.ts';
import { Fault, isFault } from '../core/fault.ts';
import type { Loaded } from '../engine/ports.ts';
import { errnoOf } from '../system/errno.ts';
import { storeFault } from '../system/files.ts';
import { pathPart, sha256 } from '../system/ids.ts';
import { readBlob } from './blobs.ts';
import { inflateEntry } from './entry-codec.ts';
import type { HeadMark } from './head-mark.ts';
import { readHeadMark } from './head-mark.ts';
import type { Chain, Witness } from './journal-chain.ts';
import { checkWitness, hashAt, revisionOf } from './journal-chain.ts';
import { unusableEntry } from './journal-faults.ts';
import type { Scan, ScanHandlers } from './journal-file.ts';
import { newScan, scanFrom, scanOn } from './journal-file.ts';
import type { LoopFiles } from './loop-files.ts';
import { withStoreFaults } from './loop-files.ts';
import type { SnapshotMark } from './snapshot.ts';
import { readSnapshot } from './snapshot.ts';
import { assertValid } from './state-validity.ts';

export type Cursor = {
  readonly files: LoopFiles;
  readonly scan: Scan;
  /** `null` = no entry is committed yet. */
  loop: Loop | null;
  /** Distinguishes the journal from a file put in its place. */
  inode: number;
  snapshot: SnapshotMark;
  /** There is a snapshot, but another build folded it. */
  isSnapshotOutdated: boolean;
  /** Open for appending, once something has been committed. */
  descriptor: number | undefined;
};

const NO_SNAPSHOT: SnapshotMark = { revision: 0, end: 0, at: '' };

export function newCursor(files: LoopFiles): Cursor {
  return {
    files,
    scan: newScan(files.journal),
    loop: null,
    inode: 0,
    snapshot: NO_SNAPSHOT,
    isSnapshotOutdated: false,
    descriptor: undefined,
  };
}

/** Reads and checks the whole journal. `false` = there is none. `known`: what this process has seen committed. */
export function readWhole(cursor: Cursor, known?: Witness, onEntry?: (entry: Entry) => void): boolean {
  const { files, scan } = cursor;
  // Read before the journal: a snapshot taken while we read would seem to be ahead of it.
  const snapshot = readSnapshot(files.snapshot);
  const witnesses = [known, witnessOf(snapshot, files.snapshot), witnessOf(readHeadMark(files.head), files.head)];
  const vouch = (chain: Chain, end: number): void => {
    for (const witness of witnesses) if (witness !== undefined) checkWitness(chain, end, witness, files.journal);
  };
  const exists = withJournal(files.journal, (descriptor) => {
    cursor.inode = fstatSync(descriptor).ino;
    readOn(cursor, descriptor, { vouch, ...(onEntry === undefined ? {} : { onEntry }) });
  });
  if (!exists) vouch(scan.chain, 0);
  if (snapshot?.loop !== undefined) cursor.snapshot = snapshot;
  cursor.isSnapshotOutdated = snapshot !== undefined && snapshot.loop === undefined;
  return exists;
}

/** Brings a cursor up to date. `undefined` = the file is not the one it knew, or does not continue from there: read it whole. */
export function readMore(cursor: Cursor): Cursor | undefined {
  const { files, scan } = cursor;
  const stats = withStoreFaults(files.journal, 'read', () => statSync(files.journal, { throwIfNoEntry: false }));
  if (stats === undefined || stats.ino !== cursor.inode || stats.size < scan.end) return undefined;
  if (stats.size === scan.end) return cursor;
  try {
    return withJournal(files.journal, (descriptor) => readOn(cursor, descriptor)) ? cursor : undefined;
  } catch (error) {
    if (isFault(error) && error.code === 'JOURNAL_BROKEN') return undefined;
    throw error;
  }
}

/** A cheap test for a driver that commits again and again: an open journal needs no path lookup. */
export function isUnmoved({ descriptor, files, scan }: Cursor): boolean {
  if (descriptor === undefined) return false;
  const { size, nlink } = withStoreFaults(files.journal, 'read', () => fstatSync(descriptor));
  return size === scan.end && nlink > 0;
}

/**
 * The loop from its snapshot and the entries after it. For lists, and for hooks, which must not get slower with every iteration. The past before the
 * snapshot is trusted; commands that read the whole journal (status, explain, replay, resume) still find any damage. `undefined` = only the whole
 * journal can tell.
 */
export function readQuick(files: LoopFiles): Cursor | undefined {
  const snapshot = readSnapshot(files.snapshot);
  if (snapshot?.loop === undefined) return undefined;
  const { revision, hash, start, bytes, end, at, loop } = snapshot;
  const head = witnessOf(readHeadMark(files.head), files.head);
  const stats = withStoreFaults(files.journal, 'read', () => statSync(files.journal, { throwIfNoEntry: false }));
  if (stats === undefined || stats.size < Math.max(end, head?.end ?? 0)) return undefined;
  const cursor: Cursor = {
    ...newCursor(files),
    scan: scanFrom(files.journal, { base: revision - 1, hashes: [hash] }, { start, bytes, at }),
    loop,
    inode: stats.ino,
    snapshot,
  };
  // A journal of exactly that length contains nothing newer.
  if (stats.size === end) {
    cursor.scan.end = end;
    return cursor;
  }
  const vouch = (chain: Chain, size: number): void => {
    if (head !== undefined) checkWitness(chain, size, head, files.journal);
  };
  const line = Buffer.allocUnsafe(bytes);
  let isSame = false;
  try {
    withJournal(files.journal, (descriptor) => {
      isSame = readSync(descriptor, line, 0, bytes, start) === bytes && sha256(line) === hash;
      if (isSame) readOn(cursor, descriptor, { vouch });
    });
  } catch (error) {
    if (isFault(error) && error.code.startsWith('JOURNAL_')) return undefined;
    throw error;
  }
  return isSame ? cursor : undefined;
}

/** What a caller gets from a cursor; `undefined` = no loop. */
export function loadedOf({ loop, scan, files }: Cursor): Loaded | undefined {
  const hash = hashAt(scan.chain, revisionOf(scan.chain));
  if (loop === null || typeof hash !== 'string') return undefined;
  vouchedFor(files.journal, revisionOf(scan.chain), () => assertValid(loop));
  if (loop.state.loop !== files.name && pathPart(loop.state.loop) !== files.name) {
    throw new Fault(
      'JOURNAL_BROKEN',
      `The journal ${files.journal} is that of loop ${loop.state.loop}: its directory was copied or renamed. Give the directory its old name back, or remove the copy.`,
    );
  }
  return { ...loop, head: { revision: revisionOf(scan.chain), hash } };
}

/** What must still be there when the file is read again. */
export function memoryOf({ scan }: Cursor): Witness | undefined {
  const revision = revisionOf(scan.chain);
  const hash = hashAt(scan.chain, revision);
  return typeof hash === 'string' ? { revision, hash, source: 'this program saw it' } : undefined;
}

export function closeCursor(cursor: Cursor): void {
  if (cursor.descriptor !== undefined) closeSync(cursor.descriptor);
  cursor.descriptor = undefined;
}

type Reading = { readonly vouch?: ScanHandlers['vouch']; readonly onEntry?: (entry: Entry) => void };

function readOn(cursor: Cursor, descriptor: number, { vouch, onEntry }: Reading = {}): void {
  const { files, scan } = cursor;
  scanOn(descriptor, scan, {
    onEntry: (small, hasBlobs) => {
      const entry = vouchedFor(files.journal, small.revision, () => {
        const whole = hasBlobs
          ? inflateEntry(small, files.journal, (hash) => readBlob(files.blobs, hash))
          : completeEntry(small);
        cursor.loop = foldEntry(cursor.loop, whole);
        return whole;
      });
      onEntry?.(entry);
    },
    ...(vouch === undefined ? {} : { vouch }),
  });
}

/** Every entry was folded before it was written, so one that cannot be folded now is not ours, rather than a bug. */
function vouchedFor<T>(file: string, revision: number, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (isFault(error)) throw error;
    throw unusableEntry(file, revision, error);
  }
}

/** `false` = there is no journal. */
function withJournal(file: string, use: (descriptor: number) => void): boolean {
  try {
    const descriptor = openSync(file, 'r');
    try {
      use(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw storeFault(error, file, 'read');
  }
}

function witnessOf(mark: HeadMark | undefined, file: string): Witness | undefined {
  if (mark === undefined) return undefined;
  const { revision, hash, end } = mark;
  return { revision, hash, end, source: `according to ${file}` };
}

import { closeSync, constants, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import { assert } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import { foldEntry, JOURNAL_VERSION } from '../core/journal.ts';
import type { Draft } from '../engine/ports.ts';
import { sha256 } from '../system/ids.ts';
import type { CrashPoint } from './crash-point.ts';
import type { Cursor } from './cursor.ts';
import { encodeEntry } from './entry-codec.ts';
import { hashAt, revisionOf } from './journal-chain.ts';
import { appendLine, noteOwnLine } from './journal-file.ts';
import { withStoreFaults } from './loop-files.ts';
import { assertValid } from './state-validity.ts';
import { writeBlob } from './write-blob.ts';

export type AppendOptions = {
  readonly isFirst: boolean;
  /** Unique for every line ever written. */
  readonly writer: string;
  readonly crashPoint: ((name: CrashPoint) => void) | undefined;
};

/**
 * `isUncontested`: nobody else has written since the cursor was updated, so the entry is committed and the cursor includes it. Otherwise the caller reads
 * on to see who won.
 */
export type AppendResult = {
  readonly revision: number;
  readonly hash: string;
  readonly isUncontested: boolean;
  /** As of this entry, if it is committed. */
  readonly loop: Loop;
};

/** Writes an entry that follows the cursor's head. Not durable before `syncJournal`. */
export function appendEntry(cursor: Cursor, draft: Draft, how: AppendOptions): AppendResult {
  const { files, scan } = cursor;
  const crashPoint = how.crashPoint ?? noCrash;
  const revision = revisionOf(scan.chain) + 1;
  const prev = hashAt(scan.chain, revision - 1);
  assert(prev !== undefined, 'a cursor knows its head');
  const { at } = draft;
  const entry = { v: JOURNAL_VERSION, revision, prev, ...draft, writer: how.writer } as const;
  const encoded = encodeEntry(entry);
  const next = foldEntry(cursor.loop, entry);
  assertValid(next);

  for (const blob of encoded.blobs) writeBlob(files.blobs, blob, crashPoint);
  const bytes = Buffer.from(`\n${encoded.line}\n`);
  const hash = sha256(encoded.line);
  const stats = withStoreFaults(files.journal, 'write', () => {
    const descriptor = openToAppend(cursor, how.isFirst);
    crashPoint('before-append');
    appendLine(descriptor, bytes, how.crashPoint);
    crashPoint('after-append');
    return fstatSync(descriptor);
  });
  // No link is left: the journal was removed or replaced, and the line went to a deleted file.
  const isUncontested = stats.size === scan.end + bytes.length && stats.ino === cursor.inode && stats.nlink > 0;
  if (isUncontested) {
    noteOwnLine(scan, { hash, bytes: bytes.length - 2, at });
    cursor.loop = next;
  }
  return { revision, hash, isUncontested, loop: next };
}

export function syncJournal(cursor: Cursor): void {
  withStoreFaults(cursor.files.journal, 'write', () => fdatasyncSync(openToAppend(cursor, false)));
}

/** Kept open, because a driver commits to one loop again and again. */
function openToAppend(cursor: Cursor, isFirst: boolean): number {
  if (cursor.descriptor !== undefined) return cursor.descriptor;
  // Only a first entry may create the file: a commit must not bring back a removed loop.
  const flags = constants.O_WRONLY | constants.O_APPEND | (isFirst ? constants.O_CREAT : 0);
  const descriptor = openSync(cursor.files.journal, flags, 0o600);
  if (cursor.inode === 0) {
    try {
      cursor.inode = fstatSync(descriptor).ino;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }
  cursor.descriptor = descriptor;
  return descriptor;
}

function noCrash(): void {
  // Only tests have crash points.
}

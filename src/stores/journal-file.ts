/**
 * The bytes of a journal. One line per commit, written as newline + entry + newline in one append, so that a write torn by a crash
 * or a full disk never swallows its neighbour. Anything that is not JSON is skipped, and so are blank lines.
 */
import { readSync, writeSync } from 'node:fs';
import type { Fault } from '../core/fault.ts';
import { isFault } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import { sha256 } from '../system/ids.ts';
import type { CrashPoint } from './crash-point.ts';
import { decodeLine } from './entry-codec.ts';
import type { Chain } from './journal-chain.ts';
import { positionOf, revisionOf } from './journal-chain.ts';
import type { Damage } from './journal-faults.ts';
import { brokenChain } from './journal-faults.ts';

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Shared by all scans: reading is synchronous and no scan starts another, so they never overlap. */
let sharedChunk: Buffer | undefined;

/** How far a journal has been read, and what was found. */
export type Scan = {
  readonly file: string;
  readonly chain: Chain;
  /** Where to continue reading. Only complete lines come before it. */
  offset: number;
  /** All bytes seen; beyond `offset` if the last line is incomplete (torn, or being written right now). */
  end: number;
  lines: number;
  torn: number;
  voided: number;
  /** The newest committed line. */
  last: LinePosition;
};

/** Read but not passed on yet: the next line, or the end of the journal, has to confirm it. */
type Unvouched =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly hasBlobs: boolean }
  /** A line of another version, or a line with a changed byte that looks like one. */
  | { readonly kind: 'foreign'; readonly fault: Fault; readonly hash: string };

type LinePosition = { readonly start: number; readonly bytes: number; readonly at: string };

export type ScanHandlers = {
  /** `hasBlobs`: parts of the entry are in blobs. */
  readonly onEntry: (entry: Entry, hasBlobs: boolean) => void;
  /** Called at the end, before the newest entry is passed on: throws if the journal is not what was committed. */
  readonly vouch?: (chain: Chain, end: number) => void;
};

export function newScan(file: string): Scan {
  return scanFrom(file, { base: 0, hashes: [] }, { start: 0, bytes: 0, at: '' });
}

/** Continues after a line that is known to be committed. */
export function scanFrom(file: string, chain: Chain, last: LinePosition): Scan {
  const end = last.start + last.bytes;
  return { file, chain, offset: end, end, lines: 0, torn: 0, voided: 0, last };
}

/**
 * Reads to the current end of the file. Calls back for each committed entry, oldest first, once the hash in the next entry confirms its bytes; for
 * the newest, once `vouch` does. Throws JOURNAL_BROKEN at an entry that follows nothing known, and JOURNAL_VERSION_UNKNOWN.
 */
export function scanOn(descriptor: number, scan: Scan, handlers: ScanHandlers): void {
  const reading: Reading = { scan, unvouched: undefined, onEntry: handlers.onEntry };
  const chunk = (sharedChunk ??= Buffer.allocUnsafe(CHUNK_BYTES));
  let pending = Buffer.alloc(0);
  let position = scan.offset;
  for (;;) {
    const read = readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
    if (read === 0) break;
    position += read;
    const bytes = pending.length === 0 ? chunk.subarray(0, read) : Buffer.concat([pending, chunk.subarray(0, read)]);
    let start = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
      if (!takeLine(reading, bytes.subarray(start, newline)) && newline > start) scan.torn += 1;
      start = newline + 1;
      scan.offset += 1;
      scan.lines += 1;
    }
    // The chunk is reused, so the rest has to be copied.
    pending = Buffer.from(bytes.subarray(start));
  }
  // Only a complete entry is valid JSON. It stays the same once its newline arrives, so it counts now; anything else waits.
  if (!takeLine(reading, pending)) scan.offset -= pending.length;
  scan.end = position;
  endReading(reading, handlers);
}

type Reading = Pick<ScanHandlers, 'onEntry'> & { readonly scan: Scan; unvouched: Unvouched | undefined };

/** Moves the offset past the line. `false` = not an entry. */
function takeLine(reading: Reading, line: Uint8Array): boolean {
  const { scan } = reading;
  const decoded = line.length === 0 ? undefined : decode(reading, line);
  const start = scan.offset;
  if (decoded !== undefined) {
    const { entry } = decoded;
    if (reading.unvouched?.kind === 'foreign') throw foreignFault(scan, reading.unvouched, entry);
    const position = positionOf(scan.chain, entry);
    if (position === 'stranger') throw brokenChain(scan.file, damageAt(scan, entry));
    if (position === 'twin') scan.voided += 1;
    else {
      handOver(reading);
      reading.unvouched = { kind: 'entry', ...decoded };
      scan.chain.hashes.push(sha256(line));
      scan.last = { start, bytes: line.length, at: entry.at };
    }
  }
  scan.offset = start + line.length;
  return decoded !== undefined;
}

function decode(reading: Reading, line: Uint8Array): ReturnType<typeof decodeLine> {
  try {
    return decodeLine(line, reading.scan.file);
  } catch (error) {
    if (!isFault(error)) throw error;
    if (reading.unvouched?.kind === 'foreign') throw reading.unvouched.fault;
    handOver(reading);
    reading.unvouched = { kind: 'foreign', fault: error, hash: sha256(line) };
    return undefined;
  }
}

/** A line of ours comes next: either a newer tireless wrote the line before it, or a byte of that line was changed. */
function foreignFault(scan: Scan, { fault, hash }: Unvouched & { kind: 'foreign' }, next: Entry): Fault {
  return next.prev === hash ? fault : brokenChain(scan.file, damageAt(scan, next));
}

function endReading(reading: Reading, { vouch }: ScanHandlers): void {
  const { scan, unvouched } = reading;
  if (unvouched?.kind !== 'foreign') {
    vouch?.(scan.chain, scan.end);
    handOver(reading);
    return;
  }
  const { base, hashes } = scan.chain;
  vouch?.({ base, hashes: [...hashes, unvouched.hash] }, scan.end);
  throw unvouched.fault;
}

function handOver(reading: Reading): void {
  const { unvouched } = reading;
  reading.unvouched = undefined;
  if (unvouched?.kind === 'entry') reading.onEntry(unvouched.entry, unvouched.hasBlobs);
}

function damageAt(scan: Scan, entry: Entry): Damage {
  const revision = revisionOf(scan.chain);
  return {
    line: scan.lines + 1,
    entry,
    last: revision === 0 ? undefined : { revision, at: scan.last.at },
    torn: scan.torn,
  };
}

/** Adds a line that this process just wrote at the end, without reading it back. */
export function noteOwnLine(
  scan: Scan,
  line: { readonly hash: string; readonly bytes: number; readonly at: string },
): void {
  const start = scan.end + 1;
  // The newline before our line ends any torn line.
  if (scan.offset < scan.end) scan.torn += 1;
  scan.lines += 2;
  scan.chain.hashes.push(line.hash);
  scan.last = { start, bytes: line.bytes, at: line.at };
  scan.end = start + line.bytes + 1;
  scan.offset = scan.end;
}

/** One append. A full disk accepts a part and then fails, and that part remains as a torn line. Only tests with a crash point use two writes. */
export function appendLine(
  descriptor: number,
  bytes: Uint8Array,
  crashPoint: ((name: CrashPoint) => void) | undefined,
): void {
  let written = 0;
  if (crashPoint !== undefined) {
    written = writeSync(descriptor, bytes, 0, Math.ceil(bytes.length / 2));
    crashPoint('after-partial-append');
  }
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

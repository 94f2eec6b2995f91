/**
 * The folded loop as of one revision, so that listing a thousand loops need not fold a thousand journals. Only a cache, and a witness:
 * it is written after the commit it tells of, so a journal that has less was cut. Anything odd about it = there is none.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Loop } from '../core/journal.ts';
import { isEnded } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { storeFault, writeFileAtomic } from '../system/files.ts';
import { quickSum } from './quick-sum.ts';

const ENTRIES_BETWEEN_MAX = 64;
const BYTES_BETWEEN_MAX = 256 * 1024;
/** Agents take minutes: in practice every commit gets one, and only a burst goes without. */
const PAUSE_BETWEEN_MS = 10_000;

export type Snapshot = {
  readonly v: 1;
  /** First in the file, with `end`: see `endedLength`. */
  readonly ended: boolean;
  /** All bytes the journal had. */
  readonly end: number;
  readonly revision: number;
  readonly hash: string;
  /** Where in the journal that revision's line stands. */
  readonly start: number;
  readonly bytes: number;
  readonly at: string;
  readonly loop: Loop;
};

/** Where the newest snapshot stands; zeros = none. `at` is when its revision was committed. */
export type SnapshotMark = { readonly revision: number; readonly end: number; readonly at: string };

/** Never on each commit of a burst: whenever the loop comes to rest, and in between so that no tail gets long. */
export function isSnapshotDue(loop: Loop, now: SnapshotMark, last: SnapshotMark): boolean {
  if (loop.state.status === 'paused' || isEnded(loop.state)) return true;
  const since = last.revision === 0 ? loop.state.startedAt : last.at;
  if (Math.abs(Date.parse(now.at) - Date.parse(since)) >= PAUSE_BETWEEN_MS) return true;
  return now.revision - last.revision >= ENTRIES_BETWEEN_MAX || now.end - last.end >= BYTES_BETWEEN_MAX;
}

export function writeSnapshot(file: string, snapshot: Omit<Snapshot, 'v' | 'ended'>): void {
  const { end, ...others } = snapshot;
  const rest = JSON.stringify({ v: 1, ended: isEnded(snapshot.loop.state), end, ...others }).slice(1);
  writeFileAtomic(file, `${SUM_BEFORE}${quickSum(Buffer.from(rest))}${SUM_AFTER}${rest}`, { durable: false });
}

export function readSnapshot(file: string): Snapshot | undefined {
  const bytes = readBytes(file);
  if (
    bytes === undefined ||
    bytes.length < REST_START ||
    !bytes.subarray(0, SUM_BEFORE.length).equals(SUM_BEFORE_BYTES)
  )
    return undefined;
  const sum = bytes.toString('latin1', SUM_BEFORE.length, SUM_BEFORE.length + SUM_LENGTH);
  // The sum vouches for the inside: what is not exactly as we wrote it is not used.
  if (quickSum(bytes.subarray(REST_START)) !== sum) return undefined;
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  return isSnapshot(value) ? value : undefined;
}

/** How long the journal was when the loop ended; `undefined` = not ended, or no snapshot. A journal of that length has nothing newer. */
export function endedLength(file: string): number | undefined {
  const found = HEADER.exec(readBytes(file)?.toString('latin1', 0, HEADER_BYTES_MAX) ?? '');
  return found === null ? undefined : Number(found[1]);
}

const SUM_BEFORE = '{"sum":"';
const SUM_BEFORE_BYTES = Buffer.from(SUM_BEFORE);
const SUM_AFTER = '",';
const SUM_LENGTH = 16;
const REST_START = SUM_BEFORE.length + SUM_LENGTH + SUM_AFTER.length;
const HEADER = /^\{"sum":"[0-9a-f]{16}","v":1,"ended":true,"end":(\d+),/u;
const HEADER_BYTES_MAX = 160;

/** One buffer for all snapshots of usual size; the bytes are good until the next call. */
let shared: Buffer | undefined;

function readBytes(file: string): Buffer | undefined {
  shared ??= Buffer.allocUnsafe(64 * 1024);
  try {
    const descriptor = openSync(file, 'r');
    try {
      const length = readSync(descriptor, shared, 0, shared.length, 0);
      return length < shared.length ? shared.subarray(0, length) : readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeFault(error, file, 'read');
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false;
  if (
    !('v' in value && 'revision' in value && 'hash' in value && 'start' in value && 'bytes' in value && 'end' in value)
  )
    return false;
  const { v, revision, hash, start, bytes, end } = value;
  const isPlaced = [revision, start, bytes, end].every((number) => Number.isSafeInteger(number));
  return v === 1 && isPlaced && typeof hash === 'string' && 'loop' in value && 'at' in value;
}

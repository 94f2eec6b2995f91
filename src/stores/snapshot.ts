/**
 * The folded loop as of one revision, so that listing a thousand loops need not fold a thousand journals. Only a cache, and a witness:
 * it is written after the commit it tells of, so a journal that has less was cut. Anything odd about it = there is none: it is written in
 * place, and whoever dies at that, or reads it at that moment, is left with the journal.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Loop } from '../core/journal.ts';
import { loopOf } from '../core/journal.ts';
import { isEnded } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { overwriteOwn, readShort, storeFault } from '../system/files.ts';
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

/** As it stands in the file: the spec in force follows from the rest. */
type Stored = Omit<Snapshot, 'loop'> & { readonly loop: Omit<Loop, 'spec'> };

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
  const { end, loop, ...others } = snapshot;
  const { asked, state } = loop;
  const stored: Stored = { v: 1, ended: isEnded(state), end, ...others, loop: { asked, state } };
  const rest = JSON.stringify(stored).slice(1);
  overwriteOwn(file, `${SUM_BEFORE}${quickSum(Buffer.from(rest))}${SUM_AFTER}${rest}`);
}

export function readSnapshot(file: string): Snapshot | undefined {
  const text = readShort(file);
  if (text === undefined || text.length < REST_START) return undefined;
  // The sum vouches for the inside: what is not exactly as we wrote it is not used.
  if (!text.startsWith(`${SUM_BEFORE}${quickSum(Buffer.from(text.slice(REST_START)))}${SUM_AFTER}`)) return undefined;
  const value: unknown = JSON.parse(text);
  return isStored(value) ? { ...value, loop: loopOf(value.loop.asked, value.loop.state) } : undefined;
}

/** How long the journal was when the loop ended; `undefined` = not ended, or no snapshot. A journal of that length has nothing newer. */
export function endedLength(file: string): number | undefined {
  const found = HEADER.exec(headOf(file) ?? '');
  return found === null ? undefined : Number(found[1]);
}

const SUM_BEFORE = '{"sum32":"';
const SUM_LENGTH = 16;
const SUM_AFTER = '",';
const REST_START = SUM_BEFORE.length + SUM_LENGTH + SUM_AFTER.length;
const HEADER = /^\{"sum32":"[0-9a-f]{16}","v":1,"ended":true,"end":(\d+),/u;
const HEADER_BYTES_MAX = 160;

/** For a list of a thousand loops: nothing behind it is read. `undefined` = there is no such file. */
function headOf(file: string): string | undefined {
  try {
    const head = Buffer.allocUnsafe(HEADER_BYTES_MAX);
    const descriptor = openSync(file, 'r');
    try {
      return head.toString('latin1', 0, readSync(descriptor, head, 0, head.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeFault(error, file, 'read');
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  if (
    !('v' in value && 'revision' in value && 'hash' in value && 'start' in value && 'bytes' in value && 'end' in value)
  )
    return false;
  const { v, revision, hash, start, bytes, end } = value;
  const isPlaced = [revision, start, bytes, end].every((number) => Number.isSafeInteger(number));
  return v === 1 && isPlaced && typeof hash === 'string' && 'at' in value && 'loop' in value && hasAsked(value.loop);
}

/** A snapshot of an older version holds the loop in another shape. */
function hasAsked(loop: unknown): boolean {
  return typeof loop === 'object' && loop !== null && 'asked' in loop && 'state' in loop;
}

/**
 * The folded loop as of one revision, so that listing a thousand loops does not fold a thousand journals. A cache, and a witness: it is written after
 * the commit it describes, so a journal that contains less was cut. It is written in place, so an invalid snapshot counts as missing: a process that
 * dies while writing it, or reads it at that moment, falls back to the journal. Only the build that wrote it uses its loop (`STATE_STAMP`), because
 * another build may fold the same journal to another state. As a witness it serves every build.
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
/** Agents take minutes, so in practice every commit gets a snapshot; only a burst of commits does not. */
const PAUSE_BETWEEN_MS = 10_000;

// oxlint-disable-next-line no-underscore-dangle -- The bundler writes it in: the version and a hash of `src/core`.
declare const __STATE_STAMP__: string;
const STATE_STAMP = __STATE_STAMP__;

/** Version 1 had no stamp; a program that only knows version 1 must not use ours. */
const SNAPSHOT_VERSION = 2;

export type Snapshot = {
  readonly v: number;
  /** First in the file, with `end`: see `endedLength`. */
  readonly ended: boolean;
  /** The journal's total size in bytes. */
  readonly end: number;
  readonly revision: number;
  readonly hash: string;
  /** The position of that revision's line in the journal. */
  readonly start: number;
  readonly bytes: number;
  readonly at: string;
  /** `undefined` = another build folded it: only the journal can tell. */
  readonly loop: Loop | undefined;
};

/** As stored in the file: the spec in force is derived from the rest. */
type Stored = Omit<Snapshot, 'loop'> & { readonly stamp?: string; readonly loop: Omit<Loop, 'spec'> };

/** The position of the newest snapshot; zeros = none. `at`: when its revision was committed. */
export type SnapshotMark = { readonly revision: number; readonly end: number; readonly at: string };

/**
 * For programs that commit repeatedly: not on each commit of a burst, but whenever the loop comes to rest, and in between to keep the tail short. A
 * hook commits once and the next hook starts from its snapshot, so it writes one every time (`line-store.ts`).
 */
export function isSnapshotDue(loop: Loop, now: SnapshotMark, last: SnapshotMark): boolean {
  if (loop.state.status === 'paused' || isEnded(loop.state)) return true;
  const since = last.revision === 0 ? loop.state.startedAt : last.at;
  if (Math.abs(Date.parse(now.at) - Date.parse(since)) >= PAUSE_BETWEEN_MS) return true;
  return now.revision - last.revision >= ENTRIES_BETWEEN_MAX || now.end - last.end >= BYTES_BETWEEN_MAX;
}

export function writeSnapshot(
  file: string,
  snapshot: Omit<Snapshot, 'v' | 'ended' | 'loop'> & { readonly loop: Loop },
): void {
  const { end, loop, ...others } = snapshot;
  const { asked, state } = loop;
  const kept = { asked, state };
  const ended = isEnded(state);
  const stored: Stored = { v: SNAPSHOT_VERSION, ended, end, stamp: STATE_STAMP, ...others, loop: kept };
  const rest = JSON.stringify(stored).slice(1);
  overwriteOwn(file, `${SUM_BEFORE}${quickSum(Buffer.from(rest))}${SUM_AFTER}${rest}`);
}

export function readSnapshot(file: string): Snapshot | undefined {
  const text = readShort(file);
  if (text === undefined || text.length < REST_START) return undefined;
  // The sum protects the contents: anything that is not exactly as we wrote it is not used.
  if (!text.startsWith(`${SUM_BEFORE}${quickSum(Buffer.from(text.slice(REST_START)))}${SUM_AFTER}`)) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isStored(value)) return undefined;
  const isOwn = value.v === SNAPSHOT_VERSION && value.stamp === STATE_STAMP;
  return { ...value, loop: isOwn ? loopOf(value.loop.asked, value.loop.state) : undefined };
}

/**
 * The length of the journal when the loop ended; `undefined` = not ended, or no snapshot. A journal of that length contains nothing newer. The
 * stamp does not matter: the end of a loop is a recorded decision, which every build reads the same way.
 */
export function endedLength(file: string): number | undefined {
  const found = HEADER.exec(headOf(file) ?? '');
  return found === null ? undefined : Number(found[1]);
}

const SUM_BEFORE = '{"sum32":"';
const SUM_LENGTH = 16;
const SUM_AFTER = '",';
const REST_START = SUM_BEFORE.length + SUM_LENGTH + SUM_AFTER.length;
const HEADER = /^\{"sum32":"[0-9a-f]{16}","v":[12],"ended":true,"end":(\d+),/u;
const HEADER_BYTES_MAX = 160;

/** For a list of a thousand loops: only the head of the file is read. `undefined` = there is no such file. */
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
  return (
    (v === 1 || v === SNAPSHOT_VERSION) &&
    isPlaced &&
    typeof hash === 'string' &&
    'at' in value &&
    'loop' in value &&
    hasAsked(value.loop)
  );
}

/** A snapshot of an older version has the loop in another shape. */
function hasAsked(loop: unknown): boolean {
  return typeof loop === 'object' && loop !== null && 'asked' in loop && 'state' in loop;
}

/**
 * Load and commit: the part of the file store that a stop needs. Separate, because it is bundled into the hook. Its contract is in `file-store.ts`.
 */
import { statSync } from 'node:fs';
import { assert } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded, isSameSession } from '../core/loop.ts';
import type { CommitResult, Draft, Head, Loaded } from '../engine/ports.ts';
import { newId } from '../system/ids.ts';
import { appendEntry, syncJournal } from './append-entry.ts';
import type { CrashPoint } from './crash-point.ts';
import { loadedOf } from './cursor.ts';
import type { Cursors } from './cursors.ts';
import { openCursors } from './cursors.ts';
import { hashAt, revisionOf } from './journal-chain.ts';
import { keepSnapshot } from './keep-snapshot.ts';
import { refuseSharedHome, refuseUnusable } from './private-home.ts';
import { disarm } from './sessions.ts';

export type LineStoreOptions = {
  readonly home: string;
  /** For tests: called at the points where a crash matters. */
  readonly crashPoint?: (name: CrashPoint) => void;
  /** For problems that are not failures but that the user should see. */
  readonly warn?: (sentence: string) => void;
  /** Start from the snapshot if there is one (`readQuick`), and leave a fresh one after every commit: see `isSnapshotDue`. */
  readonly quick?: boolean;
  /** Called once, before the first commit. */
  readonly beforeFirst?: () => void;
};

export type LineStore = {
  readonly load: (loop: LoopId) => Loaded | undefined;
  readonly commit: CommitLine;
  /** Closes open files. The store can still be used. */
  readonly close: () => void;
};

export function openLineStore(options: LineStoreOptions): LineStore {
  // Quick mode finds out at the first load.
  if (options.quick !== true) refuseUnusable(options.home);
  if (options.quick !== true || mayBeShared(options.home)) refuseSharedHome(options.home, options.quick !== true);
  const cursors = openCursors(options.home, options.quick);
  return {
    load: (loop) => loadedOf(cursors.current(loop)),
    commit: lineCommitter(options, cursors),
    close: cursors.close,
  };
}

/** `head` is `null` for the first entry. */
type CommitLine = (loop: LoopId, head: Head | null, draft: Draft) => CommitResult;

function lineCommitter(options: LineStoreOptions, cursors: Cursors): CommitLine {
  const { crashPoint, beforeFirst } = options;
  let opened: string | undefined;
  let lines = 0;
  let isBegun = false;
  return (loop, head, draft) => {
    if (!isBegun) beforeFirst?.();
    isBegun = true;
    let cursor = cursors.again(loop);
    if (hashAt(cursor.scan.chain, revisionOf(cursor.scan.chain)) !== (head?.hash ?? null)) return { kind: 'conflict' };
    const before = [cursor.loop?.state.session, cursor.loop?.state.movedFrom];
    lines += 1;
    opened ??= newId();
    const appended = appendEntry(cursor, draft, { isFirst: head === null, writer: `${opened}-${lines}`, crashPoint });
    if (!appended.isUncontested) {
      cursor = cursors.current(loop);
      if (hashAt(cursor.scan.chain, appended.revision) !== appended.hash) return { kind: 'conflict' };
    }
    syncJournal(cursor);
    crashPoint?.('after-sync');
    keepSnapshot(cursor, options);
    const newest = loadedOf(cursor);
    assert(newest !== undefined, 'a committed loop can be loaded');
    disarmLeft(options.home, before, newest);
    const { revision, hash, loop: own } = appended;
    // Others may have committed since. Each caller gets the result of its own step, so that no two get the same iteration.
    return { kind: 'committed', loaded: { ...own, head: { revision, hash } } };
  };
}

/** Once its user has seen that the loop moved away, or how it ended, a session without a loop triggers no hook. */
function disarmLeft(home: string, before: readonly (SessionRef | null | undefined)[], { state }: Loaded): void {
  const { session, movedFrom } = state;
  for (const left of before) {
    if (left === null || left === undefined) continue;
    if (!isSameSession(left, session) && !isSameSession(left, movedFrom)) disarm(home, left, state.loop);
  }
  const isDone = isEnded(state) && state.status !== 'halted' && state.unseen !== true;
  if (session !== null && isDone) disarm(home, session, state.loop);
}

/** A single check in quick mode: nearly every home belongs to the user and is writable by nobody else. */
function mayBeShared(home: string): boolean {
  const stats = statSync(home, { throwIfNoEntry: false });
  return stats !== undefined && ((stats.mode & 0o022) !== 0 || stats.uid !== process.geteuid?.());
}

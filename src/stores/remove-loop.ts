/**
 * Removes an ended loop for good. THE commit point is the `unlink` of its journal: whoever appends after it sees a file without a name and learns
 * that nothing was committed; an append before it makes the file longer than it was when it was judged, so the file is put back. If the process is
 * killed before that point, the loop is complete except for its caches. After it, a folder without a journal remains, which no reader counts as a
 * loop and which the next `tireless prune` removes.
 */
import { chmodSync, closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { errnoOf, ignoringErrno } from '../system/errno.ts';
import { storeFault, syncDirectory, writeFileAtomic } from '../system/files.ts';
import { loadedOf, newCursor, readWhole } from './cursor.ts';
import type { LoopFiles } from './loop-files.ts';
import { filesOf } from './loop-files.ts';
import { forgetReports } from './report-log.ts';
import { loopOfSession } from './session-binding.ts';
import { disarm } from './sessions.ts';
import { unbindSession } from './unbind-session.ts';

/** `kept`: it changed after the user was shown it, or somebody continues it. */
export type Removal = 'removed' | 'kept';

/** For tests: called where a process can die, or another one can write. */
type RemovalPoint = 'before-unlink' | 'after-unlink';

type RemovalOptions = {
  /** Called after the journal was read again to its end: may the loop be removed as it is now? */
  readonly canRemove: (loaded: Loaded) => boolean;
  readonly at?: (point: RemovalPoint) => void;
};

/** Throws a Fault if the disk refuses. */
export function removeLoop(home: string, loop: LoopId, { canRemove, at }: RemovalOptions): Removal {
  const files = filesOf(home, loop);
  try {
    const removed = removeJournal(files, canRemove, at);
    if (removed === null) return 'kept';
    for (const session of [removed.state.session, removed.state.movedFrom]) forgetSession(home, loop, session);
    removeFolder(files.dir);
    return 'removed';
  } catch (error) {
    // Someone else was faster.
    if (errnoOf(error) === 'ENOENT') return 'kept';
    throw errnoOf(error) === undefined ? error : storeFault(error, files.dir, 'write');
  }
}

/** The removed loop; `null` = it was kept. */
function removeJournal(
  files: LoopFiles,
  canRemove: (loaded: Loaded) => boolean,
  at: RemovalOptions['at'],
): Loaded | null {
  const { dir, journal, head, snapshot } = files;
  const descriptor = openSync(journal, 'r');
  try {
    const judged = fstatSync(descriptor).size;
    const cursor = newCursor(files);
    readWhole(cursor);
    const loaded = loadedOf(cursor);
    if (loaded === undefined || !canRemove(loaded)) return null;
    if (fstatSync(descriptor).size !== judged) return null;
    // Marks that prove a cut journal would report damage in a folder that has no journal.
    for (const witness of [head, snapshot]) rmSync(witness, { force: true });
    at?.('before-unlink');
    unlinkSync(journal);
    at?.('after-unlink');
    if (fstatSync(descriptor).size === judged) {
      ignoringErrno(() => syncDirectory(dir));
      return loaded;
    }
    writeFileAtomic(journal, readFileSync(descriptor, 'utf8'), { durable: true });
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function forgetSession(home: string, loop: LoopId, session: SessionRef | null | undefined): void {
  if (session === null || session === undefined) return;
  disarm(home, session, loop);
  if (loopOfSession(home, session) === loop) ignoringErrno(() => forgetReports(home, session));
  unbindSession(home, session, loop);
}

/** Removes everything in it, including read-only folders that tools create. `remove`: for tests, because root can write everywhere. */
export function removeFolder(dir: string, remove: (dir: string) => void = removeAll): void {
  if (ignoringErrno(() => remove(dir) ?? true) === true) return;
  ignoringErrno(() => openFolders(dir));
  remove(dir);
}

function removeAll(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

function openFolders(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(path.join(dir, entry.name));
}

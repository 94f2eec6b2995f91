/**
 * Removes an ended loop for good. THE commit point is the `unlink` of its journal: whoever appends after it sees a file without a name and is
 * told that nothing was committed, and what was appended before it makes the file longer than it was judged, so that it is put back.
 * Kill the process before that point: the loop is whole, without its caches. After it: a folder without a journal, which is no loop to any
 * reader, and which the next `tireless prune` removes.
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

/** `kept`: it is not as it was when the user was told, or somebody continues it. */
export type Removal = 'removed' | 'kept';

/** For tests: called where a process can die, or another one can write. */
type RemovalPoint = 'before-unlink' | 'after-unlink';

type RemovalOptions = {
  /** The journal is read once more, to its end: may the loop go as it stands now? */
  readonly mayGo: (loaded: Loaded) => boolean;
  readonly at?: (point: RemovalPoint) => void;
};

/** Throws a Fault when the disk refuses. */
export function removeLoop(home: string, loop: LoopId, { mayGo, at }: RemovalOptions): Removal {
  const files = filesOf(home, loop);
  try {
    const removed = removeJournal(files, mayGo, at);
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

/** The loop as it was; `null` = it stays. */
function removeJournal(files: LoopFiles, mayGo: (loaded: Loaded) => boolean, at: RemovalOptions['at']): Loaded | null {
  const { dir, journal, head, snapshot } = files;
  const descriptor = openSync(journal, 'r');
  try {
    const judged = fstatSync(descriptor).size;
    const cursor = newCursor(files);
    readWhole(cursor);
    const loaded = loadedOf(cursor);
    if (loaded === undefined || !mayGo(loaded)) return null;
    if (fstatSync(descriptor).size !== judged) return null;
    // Witnesses that a journal was cut would accuse a folder that has none.
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

/** With everything in it; tools make folders that nobody may write to. `remove`: for tests, since root may write to all of them. */
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

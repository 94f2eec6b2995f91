/**
 * Which session has which loop, and the marks by which a line of shell decides whether to start us. The commit point of a binding is the rename of
 * its file. A mark is not the truth; its absence only permits skipping the hook. So a mark is written before the binding that needs it and checked
 * again afterwards; whoever removes a mark reads the binding afterwards, and restores the mark if another loop was bound. An extra mark costs
 * milliseconds for a hook without work; a missing one would lose a stop, or the timeout of an iteration.
 */
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isFault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { readTextIfExists, storeFault, writeFileAtomic } from '../system/files.ts';
import { newId, pathPart } from '../system/ids.ts';
import { makeDurableDir } from './durable-dir.ts';
import { bindingOf, loopOfSession } from './session-binding.ts';

/** `armed`: stops of this session start the hook. `timed`: so do its tools. Empty files, `<mark>/<host>/<session>` in the home. */
type Mark = 'armed' | 'timed';

/** `isTimed`: does that loop have an iteration timeout? A loop that cannot be read may have one. */
export type Binder = { readonly home: string; readonly isTimed: (loop: LoopId) => boolean };

export function bindSession({ home, isTimed }: Binder, session: SessionRef, loop: LoopId): void {
  const file = bindingOf(home, session);
  makeDurableDir(path.dirname(file));
  const marks: readonly Mark[] = isTimed(loop) ? ['armed', 'timed'] : ['armed'];
  for (const mark of marks) {
    makeDurableDir(path.dirname(markOf(home, mark, session)));
    writeFileAtomic(markOf(home, mark, session), '', { durable: false });
  }
  writeFileAtomic(file, `${loop}\n`, { durable: true });
  // The end of the previous loop may have removed them in between.
  for (const mark of marks) if (!existsSync(markOf(home, mark, session))) putMark(home, mark, session);
  if (!marks.includes('timed')) takeMarks(home, ['timed'], session, loop);
}

/** The loop has ended, or has left the session. */
export function disarm(home: string, session: SessionRef, loop: LoopId): void {
  takeMarks(home, ['armed', 'timed'], session, loop);
}

/** Only saves time after a commit: if a file cannot be removed, the next hook runs without work. */
function takeMarks(home: string, marks: readonly Mark[], session: SessionRef, loop: LoopId): void {
  const isOthers = (): boolean => (loopOfSession(home, session) ?? loop) !== loop;
  try {
    if (isOthers()) return;
    for (const mark of marks) rmSync(markOf(home, mark, session), { force: true });
    if (isOthers()) for (const mark of marks) putMark(home, mark, session);
  } catch (error) {
    if (errnoOf(error) === undefined && !isFault(error)) throw error;
  }
}

/** Only into an existing folder: if the other loop needs the mark, it has created the folder. */
function putMark(home: string, mark: Mark, session: SessionRef): void {
  const file = markOf(home, mark, session);
  if (existsSync(path.dirname(file))) writeFileSync(file, '');
}

/**
 * Binds once: one exclusive `link` to a name made of both loops decides the successor of `was`. It is the commit point and stays forever; the binding
 * itself only follows it. If a process dies in between, the next one finds the winner by that name and updates the binding.
 */
export function bindFirst(binder: Binder, session: SessionRef, loop: LoopId, was: LoopId | undefined): LoopId {
  const { home } = binder;
  const bound = loopOfSession(home, session);
  if (bound !== undefined && bound !== was) return bound;
  const file = path.join(home, 'sessions', pathPart(session.host), '=next', pathPart(`${was ?? ''}\n${session.id}`));
  makeDurableDir(path.dirname(file));
  const own = `${file}.${newId()}`;
  writeFileAtomic(own, `${loop}\n`, { durable: true });
  try {
    linkSync(own, file);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storeFault(error, file, 'write');
  } finally {
    rmSync(own, { force: true });
  }
  const winner = readTextIfExists(file)?.trim() ?? loop;
  // The winner may already have a successor: a binding never goes back. If there is no binding, the previous loop was removed in the meantime.
  const now = loopOfSession(home, session);
  if (now === was || now === undefined) bindSession(binder, session, winner);
  return winner;
}

function markOf(home: string, mark: Mark, { host, id }: SessionRef): string {
  return path.join(home, mark, pathPart(host), pathPart(id));
}

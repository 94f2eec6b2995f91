import { linkSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { readShort, readTextIfExists, storeFault, writeFileAtomic } from '../system/files.ts';
import { newId, pathPart } from '../system/ids.ts';
import { makeDurableDir } from './durable-dir.ts';

/** A session finds its loop by one derived path. The file holds the id of the loop; the commit point is its rename. */
export function bindSession(home: string, session: SessionRef, loop: LoopId): void {
  const file = bindingOf(home, session);
  makeDurableDir(path.dirname(file));
  arm(home, session);
  writeFileAtomic(file, `${loop}\n`, { durable: true });
}

/**
 * An empty file that a line of shell can ask for: only while it exists does a stop of this session start a process of ours. Made before the
 * binding, because a file too many costs a few milliseconds and one too few would lose a stop.
 */
function arm(home: string, session: SessionRef): void {
  const file = armedOf(home, session);
  makeDurableDir(path.dirname(file));
  writeFileAtomic(file, '', { durable: false });
}

/** The loop of this session has ended, or has left it. Only a convenience: a hook that wakes for nothing finds no loop. */
export function disarm(home: string, session: SessionRef): void {
  try {
    rmSync(armedOf(home, session), { force: true });
  } catch (error) {
    // Whatever keeps the file there: the next stop finds an ended loop and says nothing.
    if (errnoOf(error) === undefined) throw error;
  }
}

/**
 * Bind once: who comes after `was` is decided by the one exclusive `link` to a name made of both, which is the commit point and stays for
 * ever; the binding itself only follows it. Die in between: the next one finds the winner by that name and lets the binding follow.
 */
export function bindFirst(home: string, session: SessionRef, loop: LoopId, was: LoopId | undefined): LoopId {
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
  // Someone may have gone on from the winner already: a binding never goes back.
  if (loopOfSession(home, session) === was) bindSession(home, session, winner);
  return winner;
}

export function loopOfSession(home: string, session: SessionRef): LoopId | undefined {
  const loop = readShort(bindingOf(home, session))?.toString('utf8').trim();
  return loop === undefined || loop === '' ? undefined : loop;
}

function bindingOf(home: string, { host, id }: SessionRef): string {
  // Not `path.join`: every stop comes by here, cold, and both parts are safe.
  return `${home}${path.sep}sessions${path.sep}${pathPart(host)}${path.sep}${pathPart(id)}`;
}

function armedOf(home: string, { host, id }: SessionRef): string {
  return path.join(home, 'armed', pathPart(host), pathPart(id));
}

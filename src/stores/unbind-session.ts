import { linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import { readShort } from '../system/files.ts';
import { newId, pathPart } from '../system/ids.ts';

/** Each link leads from one loop of a session to the next. */
const LINKS_MAX = 10_000;

/**
 * After the last loop of a session is removed, the session is as if it never had one. Its binding is moved aside before it is read, and put back if
 * another loop was bound in the meantime. If it cannot be removed, the hook of that session reports a missing loop.
 */
export function unbindSession(home: string, session: SessionRef, loop: LoopId): void {
  const folder = path.join(home, 'sessions', pathPart(session.host));
  const binding = path.join(folder, pathPart(session.id));
  if (readShort(binding)?.trim() !== loop) return;
  removeLinks(path.join(folder, '=next'), session.id, loop);
  const aside = path.join(folder, `=next`, `=removed-${newId()}`);
  ignoringErrno(() => {
    renameSync(binding, aside);
    // Fails if a newer loop has been bound, which is fine too.
    if (readShort(aside)?.trim() !== loop) ignoringErrno(() => linkSync(aside, binding));
    rmSync(aside, { force: true });
  });
}

/** Removes the links to the loop. The link from the loop to its successor belongs to whoever is creating it. */
function removeLinks(folder: string, id: string, loop: LoopId): void {
  let was = '';
  for (let count = 0; count < LINKS_MAX && was !== loop; count++) {
    const link = path.join(folder, pathPart(`${was}\n${id}`));
    const next = ignoringErrno(() => readShort(link))?.trim();
    if (next === undefined || next === '') return;
    ignoringErrno(() => rmSync(link, { force: true }));
    was = next;
  }
}

/** Finds the loop of a session: the part of `sessions.ts` that every stop needs. */
import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { readShort } from '../system/files.ts';
import { pathPart } from '../system/ids.ts';

export function loopOfSession(home: string, session: SessionRef): LoopId | undefined {
  const loop = readShort(bindingOf(home, session))?.trim();
  return loop === undefined || loop === '' ? undefined : loop;
}

/** A session finds its loop by one derived path. The file contains the id of the loop. */
export function bindingOf(home: string, { host, id }: SessionRef): string {
  return path.join(home, 'sessions', pathPart(host), pathPart(id));
}

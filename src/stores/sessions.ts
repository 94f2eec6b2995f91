import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { pathPart } from '../system/ids.ts';
import { makeDurableDir } from './durable-dir.ts';

/** A session finds its loop by one derived path. The file holds the id of the loop; the commit point is its rename. */
export function bindSession(home: string, session: SessionRef, loop: LoopId): void {
  const file = bindingOf(home, session);
  makeDurableDir(path.dirname(file));
  writeFileAtomic(file, `${loop}\n`, { durable: true });
}

export function loopOfSession(home: string, session: SessionRef): LoopId | undefined {
  const loop = readTextIfExists(bindingOf(home, session))?.trim();
  return loop === undefined || loop === '' ? undefined : loop;
}

function bindingOf(home: string, { host, id }: SessionRef): string {
  return path.join(home, 'sessions', pathPart(host), pathPart(id));
}

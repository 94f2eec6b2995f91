import { rmSync } from 'node:fs';
import path from 'node:path';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { pathPart } from '../system/ids.ts';
import { withStoreFaults, filesOf } from './loop-files.ts';
import { forgetReports } from './report-log.ts';
import { disarm } from './sessions.ts';

/**
 * Removes every trace of a loop that no user started: the one that tests a hook. Users' loops are kept forever. The journal is removed last, so if
 * the process dies in between, the loop remains visible.
 */
export function forgetLoop(home: string, loop: LoopId, session: SessionRef | null): void {
  if (session !== null) {
    disarm(home, session, loop);
    forgetReports(home, session);
    const folder = path.join(home, 'sessions', pathPart(session.host));
    for (const name of [pathPart(session.id), path.join('=next', pathPart(`\n${session.id}`))]) {
      const file = path.join(folder, name);
      withStoreFaults(file, 'write', () => rmSync(file, { force: true }));
    }
  }
  const { dir } = filesOf(home, loop);
  withStoreFaults(dir, 'write', () => rmSync(dir, { recursive: true, force: true }));
}

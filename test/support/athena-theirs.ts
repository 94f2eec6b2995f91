import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { athena } from '../../src/dialects/athena/dialect.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import type { EngineLoopManager, LoopConfig } from '../../src/facades/athena/index.ts';
import { turnEnded } from '../../src/core/event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { AthenaDesk } from './athena-desk.ts';

/** A manager of a tracker in which a session of another host stopped first. */
export function aTrackerOfTheirs(desk: AthenaDesk, config: LoopConfig): EngineLoopManager {
  mkdirSync(path.dirname(desk.file), { recursive: true });
  desk.write('---\nmax_iterations: 5\ncompletion_marker: E2E_COMPLETE\nactive: true\n---\nbody');
  stopTheirs(desk);
  return desk.manager(config);
}

export function stopTheirs(desk: AthenaDesk): void {
  const live = { dialect: athena, path: desk.file };
  const theirs = { live, cwd: desk.project, file: 'x', session: { host: 'claude-code', id: 'theirs' } };
  openEmbeddedEngine({ home: desk.home }).run(handleDialectEvent(theirs, turnEnded(), {}));
}

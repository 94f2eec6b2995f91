import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { athena } from '../../src/dialects/athena/dialect.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import type { EngineLoopManager, LoopConfig } from '../../src/facades/athena/index.ts';
import { turnEnded } from '../../src/core/event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { AthenaFixture } from './athena-fixture.ts';

/** A manager of a tracker in which a session of another host stopped first. */
export function aTrackerOfTheirs(fixture: AthenaFixture, config: LoopConfig): EngineLoopManager {
  mkdirSync(path.dirname(fixture.file), { recursive: true });
  fixture.write('---\nmax_iterations: 5\ncompletion_marker: E2E_COMPLETE\nactive: true\n---\nbody');
  stopTheirs(fixture);
  return fixture.manager(config);
}

export function stopTheirs(fixture: AthenaFixture): void {
  const live = { dialect: athena, path: fixture.file };
  const theirs = { live, cwd: fixture.project, file: 'x', session: { host: 'claude-code', id: 'theirs' } };
  openEmbeddedEngine({ home: fixture.home }).run(handleDialectEvent(theirs, turnEnded(), {}));
}

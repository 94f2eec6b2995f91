import path from 'node:path';
import type { DialectPlace } from '../../engine/dialect-loop.ts';
import { loopOfFile } from '../../engine/dialect-loop.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import type { Logger } from './logger.ts';

const TRIES_MAX = 5;

/** Archived durably, then removed. What changes in between is archived too; what no loop knows is not ours to remove. */
export function removeTracker(trackerLoop: {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace;
  readonly logger: Logger;
}): void {
  const { engine, place, logger } = trackerLoop;
  const file = place.live.path;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const bytes = engine.effects.readFile(file);
    if (bytes === null) return;
    const loaded = engine.run(loopOfFile(place));
    if (loaded === undefined) {
      logger.warn(`Loop tracker ${file}: it is left where it is, because no loop of ours is in it.`);
      return;
    }
    engine.archive(loaded.state.loop, path.basename(file), bytes.text);
    if (engine.effects.replaceFile(file, bytes.hash, null) === 'replaced') return;
  }
  logger.warn(`Loop tracker ${file}: it is left where it is, because someone keeps changing it.`);
}

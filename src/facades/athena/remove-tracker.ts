import path from 'node:path';
import type { DialectPlace } from '../../engine/dialect-loop.ts';
import { loopOfFile } from '../../engine/dialect-loop.ts';
import type { EngineRoom } from '../engine-room.ts';
import type { Logger } from './logger.ts';

const TRIES_MAX = 5;

/** Archived durably, then removed. What changes in between is archived too; what no loop knows is not ours to remove. */
export function removeTracker(desk: {
  readonly room: EngineRoom;
  readonly place: DialectPlace;
  readonly logger: Logger;
}): void {
  const { room, place, logger } = desk;
  const file = place.live.path;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const bytes = room.effects.readFile(file);
    if (bytes === null) return;
    const loaded = room.run(loopOfFile(place));
    if (loaded === undefined) {
      logger.warn(`Loop tracker ${file}: it is left where it is, because no loop of ours is in it.`);
      return;
    }
    room.archive(loaded.state.loop, path.basename(file), bytes.text);
    if (room.effects.replaceFile(file, bytes.hash, null) === 'replaced') return;
  }
  logger.warn(`Loop tracker ${file}: it is left where it is, because someone keeps changing it.`);
}

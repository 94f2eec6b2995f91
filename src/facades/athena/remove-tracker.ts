import path from 'node:path';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { changeFile } from '../../engine/change-file.ts';
import type { Logger } from './logger.ts';

/** Archived durably, then removed. Changes made in between are archived too; a tracker without a loop of ours is not removed. */
export function removeTracker(trackerLoop: {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace;
  readonly logger: Logger;
}): void {
  const { engine, place, logger } = trackerLoop;
  const file = place.live.path;
  let isUnknown = false;
  const isRemoved = changeFile(engine.effects, file, (text) => {
    const loaded = text === null ? undefined : engine.run(loopOfFile(place));
    isUnknown = text !== null && loaded === undefined;
    if (text === null || loaded === undefined) return text;
    engine.archive(loaded.state.loop, path.basename(file), text);
    return null;
  });
  if (isUnknown) logger.warn(`Loop tracker ${file}: it is left where it is, because no loop of ours is in it.`);
  if (!isRemoved) logger.warn(`Loop tracker ${file}: it is left where it is, because someone keeps changing it.`);
}

import { randomInt } from 'node:crypto';
import path from 'node:path';
import type { RoomWorld } from '../evidence/room/furnish.ts';
import { filesOf } from '../stores/loop-files.ts';
import { currentPlatform } from '../system/paths.ts';

/** Baselines are next to the journals of their loops; rooms are next to the loops, outside any project. */
export function roomWorldIn(home: string): RoomWorld {
  const { os, env, home: userHome } = currentPlatform();
  return {
    baselineOf: (loop) => path.join(filesOf(home, loop).dir, 'baseline'),
    rooms: path.join(home, 'rooms'),
    home: userHome,
    environment: env,
    platform: os,
    draw: (below) => randomInt(below),
  };
}

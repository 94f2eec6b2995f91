import path from 'node:path';
import type { RoomWorld } from '../evidence/room/furnish.ts';
import { filesOf } from '../stores/loop-files.ts';
import { currentPlatform } from '../system/paths.ts';

/** Baselines stand beside the journals of their loops; rooms beside the loops, where no project is. */
export function roomWorldIn(home: string): RoomWorld {
  const { os, env, home: userHome } = currentPlatform();
  return {
    baselineOf: (loop) => path.join(filesOf(home, loop).dir, 'baseline'),
    rooms: path.join(home, 'rooms'),
    home: userHome,
    environment: env,
    platform: os,
  };
}

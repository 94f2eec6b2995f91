import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoopId } from '../core/loop.ts';
import { errnoOf } from '../system/errno.ts';
import { sha256 } from '../system/ids.ts';
import { filesOf } from './loop-files.ts';

const NAME_CHARS = 16;

/** For notices shown once per loop: `true` = nobody has noted it before. If it cannot be noted, it is shown again. */
export function noteOnce(home: string, loop: LoopId, what: string): boolean {
  try {
    writeFileSync(path.join(filesOf(home, loop).dir, `noted-${sha256(what).slice(0, NAME_CHARS)}`), what, {
      flag: 'wx',
    });
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code !== 'EEXIST';
  }
}

import { isFault } from '../core/fault.ts';
import type { TypedResume } from '../hook/hook-world.ts';
import { parseFlags, toggle } from './flags.ts';
import { LIMIT_FLAGS } from './loop-flags.ts';
import { FORCE_FLAG } from './move-loop.ts';
import { typedLimits } from './spec-options.ts';

const RESUME = '--resume';
const TABLE = { resume: toggle('continue a loop in this session'), ...FORCE_FLAG, ...LIMIT_FLAGS };

/**
 * The text after `/ralph`, if it continues a loop: `--resume [LOOP] [--force] [limits]`, in any order. `null` = it is a goal, which may
 * contain that word. Throws `USAGE` for options that do not belong there, if `--resume` comes first.
 */
export function parseTypedResume(text: string): TypedResume | null {
  const words = text.trim().split(/[\s=]+/u);
  if (!words.includes(RESUME)) return null;
  const isFirst = words[0] === RESUME;
  try {
    const { words: named, values } = parseFlags(TABLE, words, 'resume');
    if (named.length > 1) return null;
    return { given: named[0], force: values.force, limits: typedLimits(values) };
  } catch (error) {
    if (isFault(error) && !isFirst) return null;
    throw error;
  }
}

import { Fault } from '../core/fault.ts';
import { readStdinText } from './goal.ts';
import { namesLoop } from '../engine/choose-loop.ts';
import type { World } from './services.ts';

/** The whole text goes into a prompt, next to the goal. */
const TEXT_CHARS_MAX = 20_000;

/** `[LOOP] TEXT…`: the first word is the loop if it names one; the rest is the text, and `-` means stdin. */
export async function textAfterLoop(
  words: readonly string[],
  world: World,
): Promise<{ readonly given: string | undefined; readonly text: string }> {
  const [first, ...rest] = words;
  const named = first !== undefined && namesLoop(await world.services.store(), first);
  const parts = named ? rest : words;
  const text = parts.length === 1 && parts[0] === '-' ? await readStdinText(world.stdin) : parts.join(' ');
  if (text.length > TEXT_CHARS_MAX)
    throw new Fault(
      'USAGE',
      `The text has ${text.length} characters, more than ${TEXT_CHARS_MAX}. Put it into a file of the project and name the file.`,
    );
  return { given: named ? first : undefined, text };
}

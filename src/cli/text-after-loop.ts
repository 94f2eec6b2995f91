import { Fault } from '../core/fault.ts';
import { readStdinText } from './goal.ts';
import { looksLikeLoop, namesLoop } from '../engine/choose-loop.ts';
import { oneLine } from '../views/printable.ts';
import type { World } from './services.ts';

/** The whole text becomes part of a prompt, next to the goal. */
const TEXT_CHARS_MAX = 20_000;
const WORD_CHARS_MAX = 60;

/**
 * `[LOOP] TEXT…`: the first word is the loop if it names one; the rest is the text, and `-` means stdin. Of exactly two words, the first is a
 * mistyped loop more likely than text without quotes.
 */
export async function textAfterLoop(
  words: readonly string[],
  world: World,
): Promise<{ readonly given: string | undefined; readonly text: string }> {
  const [first, ...rest] = words;
  const named = first !== undefined && namesLoop(await world.services.store(), first);
  if (!named && first !== undefined && rest.length === 1 && looksLikeLoop(first))
    throw new Fault(
      'LOOP_NOT_FOUND',
      `There is no loop "${oneLine(first, WORD_CHARS_MAX)}". "tireless list" shows every loop. If it is the first word of the text, put the text in quotes.`,
    );
  const parts = named ? rest : words;
  const text = parts.length === 1 && parts[0] === '-' ? await readStdinText(world.stdin) : parts.join(' ');
  if (text.length > TEXT_CHARS_MAX)
    throw new Fault(
      'USAGE',
      `The text has ${text.length} characters, more than ${TEXT_CHARS_MAX}. Put it into a file of the project and name the file.`,
    );
  return { given: named ? first : undefined, text };
}

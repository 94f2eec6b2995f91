import { Fault } from '../core/fault.ts';
import type { Platform } from './paths.ts';

const PLAIN = /^[\w.,:=@/+-]+$/u;

/** Words as one line for the shell of the platform, each of which arrives as it is. Throws `USAGE` for what cmd.exe cannot be given. */
export function shellLine(words: readonly string[], platform: Platform): string {
  return words.map((word) => (platform.os === 'win32' ? forCmd(word) : forShell(word))).join(' ');
}

function forShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** It expands variables inside of quotes too, and has no way to quote a quote that every program reads alike. */
function forCmd(word: string): string {
  if (/["%!\r\n]/u.test(word))
    throw new Fault(
      'USAGE',
      `Cannot pass the argument ${JSON.stringify(word)} on: on Windows it must hold no quotes, percent signs, exclamation marks or line breaks. Put it into the settings of the agent instead.`,
    );
  return PLAIN.test(word) ? word : `"${word}"`;
}

/**
 * The words of a text, split as a shell does: by white space, with quotes and backslashes. Nothing is expanded and nothing is run. Throws
 * `USAGE` for a quote that is not closed.
 */
export function splitWords(text: string, name: string): readonly string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const space = /^\s+/u.exec(text.slice(at));
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const found = wordAt(text, at, name);
    words.push(found.word);
    at = found.end;
  }
  return words;
}

const PIECE = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/uy;

function wordAt(text: string, from: number, name: string): { readonly word: string; readonly end: number } {
  let word = '';
  let end = from;
  while (end < text.length && !/\s/u.test(text[end] ?? '')) {
    PIECE.lastIndex = end;
    const found = PIECE.exec(text);
    if (found === null)
      throw new Fault('USAGE', `Cannot read ${name}: a quote or a backslash at its end stands alone. Close the quote.`);
    const [whole, single, double, escaped, plain] = found;
    word += single ?? double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? escaped ?? plain ?? '';
    end += whole.length;
  }
  return { word, end };
}

import { Fault } from '../core/fault.ts';
import { shellWord } from '../core/shell-word.ts';
import type { Platform } from './paths.ts';

const PLAIN = /^[\w.,:=@/+-]+$/u;

/** Joins words into one line for the platform's shell, so that each arrives unchanged. Throws `USAGE` for what cannot be passed to cmd.exe. */
export function shellLine(words: readonly string[], platform: Platform): string {
  return words.map((word) => (platform.os === 'win32' ? forCmd(word) : shellWord(word))).join(' ');
}

/** cmd.exe also expands variables inside quotes, and has no way to escape a quote that every program reads the same. */
function forCmd(word: string): string {
  if (/["%!\r\n]/u.test(word))
    throw new Fault(
      'USAGE',
      `Cannot pass the argument ${JSON.stringify(word)} on: on Windows it must not contain quotes, percent signs, exclamation marks or line breaks. Put it into the settings of the agent instead.`,
    );
  return PLAIN.test(word) ? word : `"${word}"`;
}

/**
 * Splits a text into words as a shell does: by white space, with quotes and backslashes. Nothing is expanded or run. Throws
 * `USAGE` for an unclosed quote.
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
      throw new Fault('USAGE', `Cannot read ${name}: it ends with an open quote or a backslash. Close the quote.`);
    const [whole, single, double, escaped, plain] = found;
    word += single ?? double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? escaped ?? plain ?? '';
    end += whole.length;
  }
  return { word, end };
}

import { printable } from './printable.ts';

/**
 * The end of the agent's message, on one line, starting at a sentence or a word; empty if there is none. Lines that are only a tag are
 * claims, and are reported as such.
 */
export function lastWords(message: string, charsMax: number): string {
  const text = printable(message)
    .split('\n')
    .filter((line) => !/^\s*<[^<>]*>.*<\/[^<>]*>\s*$/.test(line))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (text.length <= charsMax) return text;
  const end = text.slice(-(charsMax - 1));
  const sentence = /[.!?:] /.exec(end)?.index ?? charsMax;
  if (sentence < charsMax / 2) return `…${end.slice(sentence + 2)}`;
  const word = end.indexOf(' ');
  // A single endless word is cut anywhere, but not inside a character.
  return `…${word < 0 || word > charsMax / 2 ? end.replace(/^[\uDC00-\uDFFF]/, '') : end.slice(word + 1)}`;
}

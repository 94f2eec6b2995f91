const ESCAPE = '\u001B';
/** Whole escape sequences: strings (titles, links, clipboard writes), CSI, and the two- and three-byte rest. */
const SEQUENCES = new RegExp(
  [
    String.raw`[${ESCAPE}](?:\]|P|X|\^|_)[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)`,
    String.raw`[\u0090\u0098\u009D\u009E\u009F][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)`,
    String.raw`(?:[${ESCAPE}]\[|\u009B)[\u0030-\u003F]*[\u0020-\u002F]*[\u0040-\u007E]?`,
    String.raw`[${ESCAPE}][\u0020-\u002F]*[\u0030-\u007E]?`,
  ].join('|'),
  'g',
);
/** C0 without tab and newline, DEL, C1, and the marks that reverse the direction of text. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`, 'g');

/**
 * Text from other programs and people, made safe to show: nothing in it can move the cursor, change colours, set a title or write to the clipboard. A
 * carriage return ends a line, as progress bars intend.
 */
export function printable(text: string): string {
  return text.replaceAll(SEQUENCES, '').replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');
}

/** For a path or a session in a sentence. */
export const PATH_CHARS_MAX = 200;

/** One line, white space folded, at most `charsMax` long. */
export function oneLine(text: string, charsMax: number): string {
  // Cut before cleaning: a goal may be a megabyte long.
  const folded = printable(text.slice(0, charsMax * LOOK_FACTOR))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return folded.length <= charsMax ? folded : `${cut(folded, charsMax - 1).trimEnd()}…`;
}

const LOOK_FACTOR = 8;

/** Ends a sentence whose last words may be a question of the agent. */
export function fullStop(sentence: string): string {
  return /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** The last lines that are not empty, for the end of a check's output. */
export function lastLines(text: string, linesMax: number, charsMax: number): readonly string[] {
  return printable(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-linesMax)
    .map((line) => clipped(line, charsMax));
}

export function clipped(line: string, charsMax: number): string {
  return line.length <= charsMax ? line : `${cut(line, charsMax - 1)}…`;
}

/** Never between the two halves of a character. */
function cut(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '');
}

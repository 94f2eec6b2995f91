/**
 * Source code by lines, with comments removed and the contents of strings marked. Not a parser: enough to tell code from text, in one pass
 * over whatever an agent wrote. A string that may not span lines ends with its line, so a mistake stays on its line.
 */

export type Syntax = {
  readonly lineComments: readonly string[];
  /** A comment begins only after a space or at the beginning of a line. */
  readonly spacedComments?: true;
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Longest first. */
  readonly strings: readonly { readonly quote: string; readonly isMultiline?: true; readonly isRaw?: true }[];
  /** Has templates with code in them, and regular expressions. */
  readonly isJavaScript?: true;
  /** Has lifetimes, so a quote does not always begin a string. */
  readonly isRust?: true;
  /** Does the text before a brace open a block that runs immediately, rather than when it is called? */
  readonly runsAtOnce?: (before: string) => boolean;
};

export type Line = {
  /** Starts at 1. */
  readonly number: number;
  readonly raw: string;
  readonly indent: number;
  /** Without comments, with white space collapsed to single spaces. */
  readonly code: string;
  /** The same, with `TEXT` for each character in a string. */
  readonly bare: string;
  /** How many braces are open at the beginning of the line, except those of blocks that run at once. */
  readonly depth: number;
};

export const TEXT = '\0';

const SEGMENT_MAX = 160;
const WORDS_BEFORE_REGEX = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|instanceof|new|do|else|yield|await)$/;

type Brace = 'later' | 'at-once' | 'template';

type Scan = {
  readonly text: string;
  readonly syntax: Syntax;
  readonly lines: Line[];
  readonly braces: Brace[];
  at: number;
  /** The line being read, as a list of characters: a line may be as long as the file. */
  code: string[];
  bare: string[];
  start: number;
  depth: number;
  /** Where the statement began. */
  segment: number;
  /** How many braces are `later`. */
  later: number;
};

export function scanSource(text: string, syntax: Syntax): readonly Line[] {
  const scan: Scan = {
    text: text.replaceAll(TEXT, ' '),
    syntax,
    lines: [],
    braces: [],
    at: 0,
    code: [],
    bare: [],
    start: 0,
    depth: 0,
    segment: 0,
    later: 0,
  };
  while (scan.at < text.length) step(scan);
  endLine(scan);
  return scan.lines;
}

function step(scan: Scan): void {
  const { syntax, text } = scan;
  const char = text.charAt(scan.at);
  if (skipComment(scan, char)) return;
  const string = syntax.strings.find(({ quote }) => quote.charAt(0) === char && isAt(scan, quote));
  if (string !== undefined && !(syntax.isRust === true && char === "'")) return readString(scan, string);
  if (syntax.isRust === true && char === "'") return readCharacter(scan);
  if (syntax.isJavaScript === true) {
    if (char === '`') {
      advance(scan, false);
      return readTemplate(scan);
    }
    if (char === '/' && isRegexHere(scan)) return readRegex(scan);
  }
  if (char === '{') openBrace(scan);
  const closed = char === '}' ? closeBrace(scan) : undefined;
  advance(scan, false);
  if (closed === 'template') readTemplate(scan);
}

function skipComment(scan: Scan, char: string): boolean {
  const { syntax, text } = scan;
  const isLine = syntax.lineComments.some((mark) => mark.charAt(0) === char && isAt(scan, mark));
  if (isLine && (syntax.spacedComments !== true || isAfterSpace(scan))) {
    const end = text.indexOf('\n', scan.at);
    scan.at = end < 0 ? text.length : end;
    return true;
  }
  const block = syntax.blockComments.find(([open]) => open.charAt(0) === char && isAt(scan, open));
  if (block === undefined) return false;
  const end = text.indexOf(block[1], scan.at + block[0].length);
  const after = end < 0 ? text.length : end + block[1].length;
  emit(scan, ' ', false);
  while (scan.at < after) {
    if (text.charAt(scan.at) === '\n') endLine(scan);
    scan.at += 1;
  }
  return true;
}

function readString(scan: Scan, { quote, isMultiline, isRaw }: Syntax['strings'][number]): void {
  const { text } = scan;
  advanceBy(scan, quote.length);
  while (scan.at < text.length) {
    if (isAt(scan, quote)) return advanceBy(scan, quote.length);
    const char = text.charAt(scan.at);
    if (char === '\n' && isMultiline !== true) return;
    if (char === '\\' && isRaw !== true) advance(scan, true);
    if (scan.at < text.length) advance(scan, true);
  }
}

function readCharacter(scan: Scan): void {
  const { text } = scan;
  const end = text.charAt(scan.at + 1) === '\\' ? text.indexOf("'", scan.at + 3) : scan.at + 2;
  const isCharacter = end > 0 && end - scan.at <= 12 && text.charAt(end) === "'";
  advance(scan, false);
  if (!isCharacter) return;
  while (scan.at < end) advance(scan, true);
  advance(scan, false);
}

function readTemplate(scan: Scan): void {
  const { text } = scan;
  while (scan.at < text.length) {
    if (text.charAt(scan.at) === '`') return advance(scan, false);
    if (isAt(scan, '${')) {
      scan.braces.push('template');
      return advanceBy(scan, 2);
    }
    if (text.charAt(scan.at) === '\\') advance(scan, true);
    if (scan.at < text.length) advance(scan, true);
  }
}

function readRegex(scan: Scan): void {
  const { text } = scan;
  advance(scan, false);
  let isInClass = false;
  while (scan.at < text.length) {
    const char = text.charAt(scan.at);
    if (char === '\n') return;
    if (char === '/' && !isInClass) return advance(scan, false);
    if (char === '[') isInClass = true;
    if (char === ']') isInClass = false;
    if (char === '\\' && text.charAt(scan.at + 1) !== '\n') advance(scan, true);
    advance(scan, true);
  }
}

function advance(scan: Scan, isText: boolean): void {
  emit(scan, scan.text.charAt(scan.at), isText);
  scan.at += 1;
}

function advanceBy(scan: Scan, count: number): void {
  for (let done = 0; done < count; done += 1) advance(scan, false);
}

function isAt({ text, at }: Scan, word: string): boolean {
  return text.startsWith(word, at);
}

function emit(scan: Scan, char: string, isText: boolean): void {
  if (char === '\n') return endLine(scan);
  const isSpace = char === ' ' || char === '\t' || char === '\r';
  if (isSpace && (scan.code.at(-1) ?? ' ') === ' ') return;
  scan.code.push(isSpace ? ' ' : char);
  scan.bare.push(isText ? TEXT : isSpace ? ' ' : char);
  if (!isText && (char === ';' || char === '{' || char === '}')) scan.segment = scan.bare.length;
}

function openBrace(scan: Scan): void {
  const before = scan.bare.slice(Math.max(scan.segment, scan.bare.length - SEGMENT_MAX)).join('');
  const runs = scan.syntax.runsAtOnce?.(before) === true;
  scan.braces.push(runs ? 'at-once' : 'later');
  if (!runs) scan.later += 1;
}

function closeBrace(scan: Scan): Brace | undefined {
  const brace = scan.braces.pop();
  if (brace === 'later') scan.later -= 1;
  return brace;
}

function isRegexHere({ bare }: Scan): boolean {
  const before = bare.slice(-SEGMENT_MAX).join('').trimEnd();
  return before === '' || /[([{,;=:?!&|+\-*%^~<>]$/.test(before) || WORDS_BEFORE_REGEX.test(before);
}

function isAfterSpace({ text, at }: Scan): boolean {
  return at === 0 || /\s/.test(text.charAt(at - 1));
}

function endLine(scan: Scan): void {
  const raw = scan.text.slice(scan.start, scan.at);
  scan.lines.push({
    number: scan.lines.length + 1,
    raw,
    indent: raw.length - raw.trimStart().length,
    code: scan.code.join(''),
    bare: scan.bare.join(''),
    depth: scan.depth,
  });
  Object.assign(scan, { code: [], bare: [], segment: 0, start: scan.at + 1, depth: scan.later });
}

/**
 * Source code by lines, with comments removed and the contents of strings marked. Not a parser: enough to tell code from text, in one pass
 * over whatever an agent wrote. A string that cannot span lines ends with its line, so a mistake stays on its line.
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
  /** Has strings with code between braces, marked by a letter before the quote (Python). */
  readonly hasFields?: true;
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
  /** `raw`, with `TEXT` for each character in a string or a comment. */
  readonly plain: string;
  /** How many braces are open at the beginning of the line, except those of blocks that run at once. */
  readonly depth: number;
};

export const TEXT = '\0';

const SEGMENT_MAX = 160;
const WORDS_BEFORE_REGEX = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|instanceof|new|do|else|yield|await)$/;

const PREFIX_MAX = 24;
const WITH_FIELDS = /(?:^|\W)(?:[ft]r?|r[ft])$/i;
const RAW_OF_RUST = /(?:^|\W)[bc]?r(#{0,20})$/;
/** Maximum depth of fields in strings in fields; anything deeper is text. */
const FIELDS_MAX = 20;

type Quoted = Syntax['strings'][number];
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
  plain: string[];
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
    plain: [],
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
  if (string !== undefined && !(syntax.isRust === true && char === "'")) return readQuoted(scan, string);
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
    while (scan.at < (end < 0 ? text.length : end)) passOver(scan);
    return true;
  }
  const block = syntax.blockComments.find(([open]) => open.charAt(0) === char && isAt(scan, open));
  if (block === undefined) return false;
  const end = text.indexOf(block[1], scan.at + block[0].length);
  const after = end < 0 ? text.length : end + block[1].length;
  emit(scan, ' ', false);
  while (scan.at < after) {
    if (text.charAt(scan.at) === '\n') endLine(scan);
    passOver(scan);
  }
  return true;
}

/** A character of a comment. */
function passOver(scan: Scan): void {
  if (scan.text.charAt(scan.at) !== '\n') scan.plain.push(TEXT);
  scan.at += 1;
}

function readQuoted(scan: Scan, string: Quoted, level = 0): void {
  const { syntax, text, at } = scan;
  const before = text.slice(Math.max(0, at - PREFIX_MAX), at);
  const hashes = syntax.isRust === true ? RAW_OF_RUST.exec(before)?.[1] : undefined;
  if (hashes !== undefined) return readString(scan, { ...string, isRaw: true }, `"${hashes}`);
  if (syntax.hasFields === true && level < FIELDS_MAX && WITH_FIELDS.test(before))
    return readFormatted(scan, string, level);
  readString(scan, string);
}

/** A string of Python with code between braces. */
function readFormatted(scan: Scan, string: Quoted, level: number): void {
  const { text } = scan;
  advanceBy(scan, string.quote.length);
  while (scan.at < text.length) {
    if (isAt(scan, string.quote)) return advanceBy(scan, string.quote.length);
    const char = text.charAt(scan.at);
    if (char === '\n' && string.isMultiline !== true) return;
    if (char === '{' && !isAt(scan, '{{')) readField(scan, string, level + 1);
    else {
      if (char === '\\' || isAt(scan, '{{')) advance(scan, true);
      if (scan.at < text.length) advance(scan, true);
    }
  }
}

function readField(scan: Scan, around: Quoted, level: number): void {
  const { text, syntax } = scan;
  advance(scan, false);
  let open = 1;
  // Everything after a colon is text again: the format of the value.
  let isFormat = false;
  while (scan.at < text.length && open > 0) {
    const char = text.charAt(scan.at);
    if (char === '\n' && around.isMultiline !== true) return;
    const string = syntax.strings.find(({ quote }) => isAt(scan, quote));
    if (string !== undefined && (isFormat || level > FIELDS_MAX)) return;
    if (string !== undefined) readQuoted(scan, string, level);
    else if (isFormat && char === '{' && level < FIELDS_MAX) readField(scan, around, level + 1);
    else {
      if (!isFormat && '([{'.includes(char)) open += 1;
      if (isFormat ? char === '}' : ')]}'.includes(char)) open -= 1;
      advance(scan, isFormat && open > 0);
      isFormat ||= char === ':' && open === 1;
    }
  }
}

function readString(scan: Scan, { quote, isMultiline, isRaw }: Quoted, close: string = quote): void {
  const { text } = scan;
  advanceBy(scan, quote.length);
  while (scan.at < text.length) {
    if (isAt(scan, close)) return advanceBy(scan, close.length);
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
  const char = scan.text.charAt(scan.at);
  if (char !== '\n') scan.plain.push(isText ? TEXT : char);
  emit(scan, char, isText);
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
    plain: scan.plain.join(''),
    depth: scan.depth,
  });
  Object.assign(scan, { code: [], bare: [], plain: [], segment: 0, start: scan.at + 1, depth: scan.later });
}

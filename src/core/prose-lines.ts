/** As Markdown does: `\n`, `\r\n` and a lone `\r` all end a line. */
const LINE_END = /\r\n|\r|\n/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const CODE_INDENT = 4;
export const FENCE_LENGTH_MIN = 3;

export function linesOf(text: string): string[] {
  return text.split(LINE_END);
}

/** `base`: the column where its container begins, for example a list item; a line further left has left it. */
type Fence = { readonly char: '`' | '~'; readonly length: number; readonly base: number };

/** What the next line can continue: a paragraph, a quoted or doubtful one, or nothing. */
type Before = 'paragraph' | 'hidden' | 'break';

/** `end`: the text that closes it. `block`: it began at the start of a line, so a blank line does not end it. */
type Html = { readonly end: string; readonly block: boolean };

/** `ticks`: the length of the open inline code mark; 0 = none. */
type Open = { readonly ticks: number; readonly html: Html | null };

type LineContext = Open & { readonly fence: Fence | null; readonly before: Before };

const OUTSIDE: LineContext = { fence: null, html: null, before: 'break', ticks: 0 };
const HIDDEN: LineContext = { ...OUTSIDE, before: 'hidden' };

/**
 * The lines in the writer's own words, with `null` for code, quotes and comments. Follows CommonMark; where that needs a full parser
 * (lists, HTML), the stricter reading wins: a line hidden by mistake costs the agent one more turn, but a line shown by mistake may end a
 * loop whose work is not done. One pass, linear.
 */
export function proseLines(text: string): readonly (string | null)[] {
  let context = OUTSIDE;
  return linesOf(text).map((line) => {
    const seen = readLine(context, line);
    context = seen.context;
    return seen.prose ? line : null;
  });
}

function readLine(context: LineContext, line: string): { readonly prose: boolean; readonly context: LineContext } {
  if (context.fence !== null) {
    if (leaves(context.fence, line)) return readLine(HIDDEN, line);
    const fence = closes(context.fence, line) ? null : context.fence;
    return { prose: false, context: { ...OUTSIDE, fence } };
  }
  if (context.html !== null && (context.html.block || line.trim() !== ''))
    return { prose: false, context: { ...context, ...openAfter(line, context) } };
  if (line.trim() === '') return { prose: true, context: OUTSIDE };
  const rest = line.slice(afterListMarks(line)).trimStart();
  if (rest.startsWith('>')) return { prose: false, context: HIDDEN };

  // Indented text is code unless it continues a paragraph, so "- result:" followed by an indented line is still prose.
  // After a blank line it may also be a list item's second paragraph; telling them apart is not worth a false claim.
  if (columnsOf(line) >= CODE_INDENT && context.before !== 'paragraph') return { prose: false, context };

  const fence = openedFence(line);
  if (fence !== null) return { prose: false, context: { ...OUTSIDE, fence } };

  const ticks = afterListMarks(line) > 0 ? 0 : context.ticks;
  const open = openAfter(rest, { ticks, html: null });
  // A quoted paragraph continues without `>` until a blank line.
  if (context.before === 'hidden') return { prose: false, context: { ...HIDDEN, html: open.html } };

  if (HEADING.test(line)) return { prose: true, context: OUTSIDE };
  const before = open.html === null ? 'paragraph' : 'break';
  return { prose: ticks === 0, context: { fence: null, before, ...open } };
}

/** A fence may follow list markers (`- ~~~`), or be indented because its list item is. */
function openedFence(line: string): Fence | null {
  const marks = afterListMarks(line);
  const rest = line.slice(marks).trimStart();
  const char = rest[0];
  if (char !== '`' && char !== '~') return null;
  const length = runLength(rest, char);
  // "```x``` y" is inline code.
  if (length < FENCE_LENGTH_MIN || (char === '`' && rest.includes('`', length))) return null;
  const column = columnsOf(line.slice(0, line.length - rest.length).replaceAll(/[^\t]/g, ' '));
  return { char, length, base: marks > 0 ? column : Math.max(0, column - CODE_INDENT + 1) };
}

/** A list item can end with its fence still open. If that is missed, the next opening fence would count as the closing one. */
function leaves(fence: Fence, line: string): boolean {
  return line.trim() !== '' && columnsOf(line) < fence.base;
}

function closes(fence: Fence, line: string): boolean {
  const rest = line.trim();
  if (rest[0] !== fence.char || columnsOf(line) - fence.base >= CODE_INDENT) return false;
  const length = runLength(rest, fence.char);
  return length >= fence.length && length === rest.length;
}

function afterListMarks(line: string): number {
  const listMark = /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/y;
  let end = 0;
  while (listMark.test(line)) end = listMark.lastIndex;
  return end;
}

/** HTML that readers do not see, or that marks code, quotations or thoughts. */
const MARK = /`+|<(?:!--|!\[cdata\[|(?:pre|code|script|style|textarea|blockquote|think|thinking)(?=[\s/>]|$))/g;
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![cdata[': ']]>' };

/** Which inline code or HTML is still open at the end of this line. Whichever begins first hides the other. */
function openAfter(line: string, before: Open): Open {
  const text = line.toLowerCase();
  let { ticks, html } = before;
  for (let at = 0; ;) {
    if (html !== null) {
      const end = text.indexOf(html.end, at);
      if (end === -1) return { ticks: 0, html };
      at = end + html.end.length;
      html = null;
    }
    MARK.lastIndex = at;
    const match = MARK.exec(text);
    if (match === null) return { ticks, html };
    const [mark] = match;
    at = MARK.lastIndex;
    if (!mark.startsWith('`')) {
      // A block of HTML begins after anything; inside a line, HTML is part of that line's paragraph.
      const block = match.index === 0 && mark !== '<code';
      if (ticks === 0 || block) html = { end: ENDS[mark] ?? `</${mark.slice(1)}>`, block };
    } else if (ticks === 0) ticks = mark.length;
    else if (ticks === mark.length) ticks = 0;
  }
}

function runLength(text: string, char: string): number {
  let length = 0;
  while (text[length] === char) length++;
  return length;
}

/** Indentation in columns; a tab advances to the next multiple of four. */
function columnsOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === ' ') columns++;
    else if (char === '\t') columns += CODE_INDENT - (columns % CODE_INDENT);
    else break;
  }
  return columns;
}

/** Embeds foreign text in ours so that it can neither break out of its place nor fill the page. */
import { FENCE_LENGTH_MIN } from './prose-lines.ts';

const TICKS_MAX = 3;
/** Room for "[123456789 bytes left out]" and similar notes. */
const NOTE_BYTES_MAX = 40;
const LINE_ENDS = /[\r\n\u2028\u2029]+/;
const SPACE_OR_CONTROL = /[\s\p{Cc}]+/gu;

/** Verbatim, in a code block that the text cannot close. */
export function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}

/** The end of a text in a code block; the whole block fits in `bytesMax`. */
export function fencedTail(text: string, bytesMax: number): string {
  const kept = tailWithin(text, bytesMax - 2 * (FENCE_LENGTH_MIN + 1));
  const block = fenced(kept);
  if (certainlyFits(block, bytesMax)) return block;
  const over = bytesOf(block) - bytesMax;
  // Only a text with long fences gets here. Cutting never lengthens the longest run, so one more pass is enough.
  return over <= 0 ? block : fenced(tailWithin(text, bytesOf(kept) - over));
}

/** As many items as fit, one line each, and how many were left out. Each item must already be a single line. */
export function listWithin(items: readonly string[], bytesMax: number): string {
  const lines: string[] = [];
  let bytes = NOTE_BYTES_MAX;
  for (const item of items) {
    bytes += bytesOf(item) + 3;
    if (bytes > bytesMax) break;
    lines.push(`- ${item}`);
  }
  if (lines.length < items.length) lines.push(`- and ${items.length - lines.length} more`);
  return lines.join('\n');
}

/** On one line, as inline code. */
export function codeSpan(text: string, bytesMax: number): string {
  const line = oneLine(text, bytesMax);
  const run = longestRun(line, '`');
  if (run > TICKS_MAX) return `"${line}"`;
  const ticks = '`'.repeat(run + 1);
  return run > 0 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** The beginning of a text on one line, with its line ends made visible. */
export function oneLine(text: string, bytesMax: number): string {
  const lines = text.split(LINE_ENDS).map((line) => line.replaceAll(SPACE_OR_CONTROL, ' ').trim());
  return headWithin(lines.filter((line) => line !== '').join(' ⏎ '), bytesMax);
}

/** The beginning of a text, cut between characters, with a note of what is missing. */
export function headWithin(text: string, bytesMax: number): string {
  if (certainlyFits(text, bytesMax)) return text;
  const size = bytesOf(text);
  if (size <= bytesMax) return text;
  let end = 0;
  let kept = 0;
  for (const char of text) {
    const next = kept + bytesOf(char);
    if (next > bytesMax - NOTE_BYTES_MAX) break;
    kept = next;
    end += char.length;
  }
  return `${text.slice(0, end)} [${size - kept} bytes left out]`;
}

/** The end of a text, cut between characters, with a note of what is missing. */
export function tailWithin(text: string, bytesMax: number): string {
  if (certainlyFits(text, bytesMax)) return text;
  const size = bytesOf(text);
  if (size <= bytesMax) return text;
  let start = text.length;
  let kept = 0;
  while (start > 0) {
    const from = start >= 2 && isPair(text, start - 2) ? start - 2 : start - 1;
    const next = kept + bytesOf(text.slice(from, start));
    if (next > bytesMax - NOTE_BYTES_MAX) break;
    kept = next;
    start = from;
  }
  return `[${size - kept} bytes left out]\n${text.slice(start)}`;
}

/** No UTF-16 unit takes more than three bytes. */
function certainlyFits(text: string, bytesMax: number): boolean {
  return text.length * 3 <= bytesMax;
}

/** In UTF-8; half a surrogate pair becomes a replacement character of three bytes. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function fenceFor(text: string): string {
  if (!text.includes('```')) return '```';
  const ticks = longestRun(text, '`');
  const tildes = longestRun(text, '~');
  return ticks <= tildes ? '`'.repeat(ticks + 1) : '~'.repeat(Math.max(FENCE_LENGTH_MIN, tildes + 1));
}

function longestRun(text: string, char: string): number {
  if (!text.includes(char)) return 0;
  const code = char.charCodeAt(0);
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = text.charCodeAt(at) === code ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

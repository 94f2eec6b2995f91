/**
 * Identifies a delivered prompt without its text. The next version may word its prompts differently, so anything an agent repeats or a host
 * hands back is compared with what was delivered, never with what this version would write. White space at line ends and around the text is
 * ignored: agents and hosts drop it.
 */
import { linesOf } from './prose-lines.ts';

export type PromptMark = {
  /** In UTF-16 units. */
  readonly chars: number;
  /** 64 bits, against accidents only: whoever forges a sum only removes text from their own message. */
  readonly sum: string;
  /** The first line, cut to its maximum: hosts write it into their transcripts. */
  readonly line: string;
};

const LINE_CHARS_MAX = 100;
const BASE_A = 0x01000193;
const BASE_B = 0x9e3779b1;

export function promptMark(prompt: string): PromptMark {
  const text = trimLineEnds(prompt).trim();
  const [line = ''] = text.split('\n', 1);
  return { chars: text.length, sum: sumOf(text), line: line.slice(0, LINE_CHARS_MAX) };
}

export function trimLineEnds(text: string): string {
  return linesOf(text)
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The text after the prompt, if the text begins with the prompt; otherwise `undefined`. */
export function textAfterPrompt(text: string, { chars, sum }: PromptMark): string | undefined {
  const trimmed = trimLineEnds(text).trim();
  if (chars === 0 || trimmed.length < chars || sumOf(trimmed.slice(0, chars)) !== sum) return undefined;
  return trimmed.slice(chars).trim();
}

/**
 * The index of the first copy of the prompt in a text without white space at its line ends; -1 = none. Linear in the length of the text:
 * rolling sums (Rabin, Karp).
 */
export function indexOfPrompt(text: string, { chars, sum }: PromptMark): number {
  if (chars === 0 || chars > text.length) return -1;
  let [a, b] = sumsOf(text.slice(0, chars));
  const [outA, outB] = [power(BASE_A, chars), power(BASE_B, chars)];
  const [wantedA, wantedB] = [Number.parseInt(sum.slice(0, 8), 16) | 0, Number.parseInt(sum.slice(8), 16) | 0];
  for (let at = 0; ; at++) {
    if (a === wantedA && b === wantedB) return at;
    if (at + chars >= text.length) return -1;
    const [gone, come] = [text.charCodeAt(at), text.charCodeAt(at + chars)];
    a = (Math.imul(a, BASE_A) + come - Math.imul(gone, outA)) | 0;
    b = (Math.imul(b, BASE_B) + come - Math.imul(gone, outB)) | 0;
  }
}

function sumOf(text: string): string {
  return sumsOf(text)
    .map((sum) => (sum >>> 0).toString(16).padStart(8, '0'))
    .join('');
}

function sumsOf(text: string): [number, number] {
  let a = 0;
  let b = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = (Math.imul(a, BASE_A) + code) | 0;
    b = (Math.imul(b, BASE_B) + code) | 0;
  }
  return [a, b];
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let square = base, left = exponent; left > 0; square = Math.imul(square, square), left = Math.floor(left / 2))
    if (left % 2 === 1) result = Math.imul(result, square);
  return result;
}

import { printable } from '../views/printable.ts';
import type { Line, Tone } from './narrate.ts';

const LINES_MAX = 600;
const LINE_CHARS_MAX = 240;

/** A git diff for people: bounded, and free of anything that controls the terminal. */
export function diffLines(text: string): readonly Line[] {
  const all = printable(text).replace(/\n$/, '').split('\n');
  const shown = all.slice(0, LINES_MAX).map((line): Line => ({
    tone: diffTone(line),
    text: line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX - 1)}…` : line,
  }));
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, { tone: 'doubtful', text: `… and ${more} more lines, not shown` }];
}

export function diffTone(line: string): Tone {
  if (/^(?:diff |--- |\+\+\+ )/.test(line)) return 'strong';
  if (line.startsWith('@@')) return 'quiet';
  return line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'plain';
}

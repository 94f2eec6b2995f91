import { screenRows } from './screen-rows.ts';

/** Longer lines are harder to read, however wide the terminal is. */
const COLUMNS_MAX = 110;

/** A help page for this width: sentences are joined and broken between words, descriptions stay in their column, commands can be pasted. */
export function helpLines(lines: readonly string[], columns: number): readonly string[] {
  const width = Math.min(COLUMNS_MAX, columns);
  return joined(lines.flatMap((line) => line.split('\n'))).flatMap((line) => screenRows(line, width));
}

/** Joins a sentence that spans several lines of the page. */
function joined(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const last = whole.at(-1) ?? '';
    const isRest = /^\S.*[^.:!?]$/u.test(last) && /^[^\s-]/u.test(line) && !last.startsWith('Usage: ');
    if (isRest) whole[whole.length - 1] = `${last} ${line}`;
    else whole.push(line);
  }
  return whole;
}

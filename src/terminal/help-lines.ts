import { foldLine } from './fold-line.ts';

/** Longer lines are harder to read, however wide the terminal is. */
const COLUMNS_MAX = 110;
const COLUMNS_MIN = 40;
/** The name of an option or a command, then its description in a column of its own. */
const LISTED = /^ {2,}\S.*? {2,}(?=\S)/u;
const COMMAND = /^ {2}tireless /u;

/** A help page for this width: sentences are joined and broken between words, descriptions stay in their column, commands stay whole. */
export function helpLines(lines: readonly string[], columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns));
  return joined(lines.flatMap((line) => line.split('\n'))).flatMap((line) => {
    if (COMMAND.test(line)) return [line];
    return foldLine(line, width, LISTED.exec(line)?.[0].length);
  });
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

import { widthOf } from './fit-width.ts';
import { foldLine } from './fold-line.ts';

/** Below this width, or if the width is unknown, the terminal breaks lines itself. */
const COLUMNS_MIN = 40;
/** Columns of one word, or a label or the name of an option; then the text in its own column. */
const LISTED = /^(?:Usage: (?=\S)| {2,}(?:[^\s|]\S* {2,})+(?=\S)| {2,}[^\s|].*? {2,}(?=\S))/u;
/** A command on its own line, or at the end of a line after a colon. */
const COMMAND = /^(?<before> {2,}|.*: +)(?<command>(?:[A-Z_]+=\S+ )*(?:tireless|node \S+) [a-z]+(?: .*)?)$/u;
/** Words as a shell splits them; an option stays with its value. */
const SHELL_WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/gu;

/**
 * Text for a terminal, as rows, broken only between words. Text in its own column stays there. A command can still be pasted: its rows end
 * with a backslash. A single word that is too long stays whole.
 */
export function screenRows(text: string, columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, columns);
  return text.split('\n').flatMap((line) => rowsOf(line, width));
}

function rowsOf(line: string, columns: number): readonly string[] {
  if (line.length <= columns && widthOf(line) <= columns) return [line];
  const { before, command } = COMMAND.exec(line)?.groups ?? {};
  if (before !== undefined && command !== undefined && isWholeCommand(command)) {
    if (before.trim() === '') return commandRows(command, columns, before);
    return [...foldLine(before.trimEnd(), columns), ...commandRows(command, columns, `${indentOf(before)}  `)];
  }
  const hang = LISTED.exec(line)?.[0].length;
  return foldLine(line, columns, hang !== undefined && hang * 2 <= columns ? hang : undefined);
}

/** One command, continued on the next row if it is too long for the screen. */
function commandRows(command: string, columns: number, indent: string): readonly string[] {
  const rows: string[] = [];
  for (const part of partsOf(command)) {
    const last = rows.at(-1);
    if (last !== undefined && widthOf(`${last} ${part} \\`) <= columns) rows[rows.length - 1] = `${last} ${part}`;
    else rows.push(`${indent}${last === undefined ? '' : '  '}${part}`);
  }
  return rows.map((row, index) => (index < rows.length - 1 ? `${row} \\` : row));
}

function partsOf(command: string): readonly string[] {
  const parts: string[] = [];
  for (const word of command.match(SHELL_WORD) ?? []) {
    const last = parts.at(-1);
    const isValue = last !== undefined && /^--?\S+$/u.test(last) && !last.includes('=') && !word.startsWith('-');
    if (isValue) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** Excludes a sentence that begins like a command, a synopsis, and an unclosed quote. */
function isWholeCommand(command: string): boolean {
  const bare = command.replaceAll(/"[^"]*"|'[^']*'/gu, '');
  return !/["'[]|[.;,:] /u.test(bare);
}

function indentOf(text: string): string {
  return /^ */u.exec(text)?.[0] ?? '';
}

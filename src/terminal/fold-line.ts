import { widthOf } from './fit-width.ts';

/** The start of a line, which its continuation repeats or leaves room for: an indentation, then the mark of a quoted or listed line. */
const LEAD = /^(\s*)(\| +|=> |→ |› |- |[✓✗?] )?/u;

/**
 * Breaks a long line between words. Later rows are aligned with its text, or begin at the column `hang`. A single word that is too long
 * stays whole.
 */
export function foldLine(line: string, columns: number, hang?: number): readonly string[] {
  if (line.length <= columns && widthOf(line) <= columns) return [line];
  const [lead = '', indent = '', mark = ''] = LEAD.exec(line) ?? [];
  const below = mark.startsWith('|') ? `${indent}${mark}  ` : `${indent}${' '.repeat(mark.length)}`;
  const rest = hang === undefined ? below : ' '.repeat(hang);
  const rows: string[] = [];
  let row = lead;
  let used = widthOf(lead);
  let isEmpty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    // Spaces at a break are not shown on the next row.
    if (word === '' && isEmpty && rows.length > 0) continue;
    const width = widthOf(word);
    if (!isEmpty && used + 1 + width > columns) {
      rows.push(row.trimEnd());
      row = `${rest}${word}`;
      used = widthOf(rest) + width;
      isEmpty = word === '';
      continue;
    }
    row += isEmpty ? word : ` ${word}`;
    used += width + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  return [...rows, row];
}

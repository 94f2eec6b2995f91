import { widthOf } from './fit-width.ts';

/** The marks that begin a line of a story: what follows them stands below itself. */
const MARKED = /^ *[✓✗?→›|] /u;

/**
 * A line as rows of at most `columns` columns, broken at spaces. Later rows are indented by `hang`, by default to where the text begins.
 * A word that is longer than a row stays whole: it can still be copied.
 */
export function wrapWords(text: string, columns: number, hang: number = textColumn(text)): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const indent = ' '.repeat(Math.min(hang, Math.floor(columns / 2)));
  const [first = '', ...words] = text.trimStart().split(' ');
  const rows: string[] = [];
  let row = text.slice(0, text.length - text.trimStart().length) + first;
  for (const word of words) {
    if (widthOf(row) + 1 + widthOf(word) > columns) {
      rows.push(row.trimEnd());
      row = indent + word;
    } else row = `${row} ${word}`;
  }
  return [...rows, row.trimEnd()];
}

function textColumn(text: string): number {
  const marked = MARKED.exec(text)?.[0].length;
  return marked ?? text.length - text.trimStart().length + 2;
}

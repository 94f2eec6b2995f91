import { tableNamed } from './toml-text.ts';

/**
 * Our tables at the end of a text file (TOML), each below a comment line. There is no closing comment: a program that adds its own table
 * puts it before a comment at the end, and removing ours would remove that table too.
 */
const COMMENT = '# [tireless] Written by "tireless install", removed by "tireless uninstall".';
/** Only these marks are compared, because the sentence may change with every version. The second is from before the comment had a mark. */
const MARKS: readonly string[] = ['# [tireless] ', '# Written by "tireless install"'];

/**
 * A table that the file already has, word for word, is left out: a duplicate would make the file unreadable for the host. A table with
 * other content is replaced.
 */
export function withBlock(text: string, block: string): string {
  let base = withoutBlock(text);
  const own: string[] = [];
  for (const table of tablesIn(block)) {
    const found = tableIn(base, headerOf(table));
    if (found?.text === table) continue;
    if (found !== undefined) base = found.rest;
    own.push(table);
  }
  if (own.length === 0) return base;
  const eol = /\r\n|\n/u.exec(base)?.[0] ?? '\n';
  const gap = base === '' ? '' : /[\r\n]$/u.test(base) ? eol : `${eol}${eol}`;
  const lines = own.map((table) => `${COMMENT}\n${table}\n`).join('\n');
  return `${base}${gap}${lines.replaceAll('\n', eol)}`;
}

/** Every table is in the text, word for word. */
export function hasBlock(text: string, block: string): boolean {
  return tablesIn(block).every((table) => tableIn(text, headerOf(table))?.text === table);
}

function tablesIn(block: string): readonly string[] {
  return block.trimEnd().split(/\n\n+/u);
}

/**
 * Codex chooses its own quotes for a name, and on Windows they differ from ours. `text`: the table's lines, without comments and blank
 * lines; `rest`: the file without them.
 */
function tableIn(text: string, header: string): { readonly text: string; readonly rest: string } | undefined {
  const lines = text.split(/(?<=\n)/u);
  const name = tableNamed(header);
  const from = lines.findIndex((line) => tableNamed(line) === name);
  if (from < 0) return undefined;
  const next = lines.findIndex((line, index) => index > from && isHeader(line));
  const inside = lines.slice(from, next < 0 ? undefined : next);
  const last = inside.findLastIndex((line) => !/^\s*(?:#|$)/u.test(line));
  const own = inside.slice(0, last + 1);
  const settings = own.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return { text: settings.join('\n'), rest: [...lines.slice(0, from), ...lines.slice(from + own.length)].join('') };
}

/** Also removes the empty line before each of them, which was added with it. */
export function withoutBlock(text: string): string {
  const lines = text.split(/(?<=\n)/u);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isComment(line) && isHeader(lines[at + 1])) {
      if (kept.at(-1)?.trim() === '') kept.pop();
      for (at += 1; /^\s*[^\s#[]/u.test(lines[at + 1] ?? ''); at++);
    } else kept.push(line);
  }
  return kept.join('');
}

function isComment(line: string): boolean {
  return MARKS.some((mark) => line.trim().startsWith(mark));
}

function isHeader(line: string | undefined): boolean {
  return line?.trimStart().startsWith('[') === true;
}

function headerOf(table: string): string {
  return table.split('\n')[0]?.trim() ?? '';
}

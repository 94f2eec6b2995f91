/** A block of ours at the end of a text file (TOML), between two comment lines. */
const BEGIN = '# >>> tireless: written by "tireless install", removed by "tireless uninstall"';
const END = '# <<< tireless';

/**
 * A table that the file has already, word for word, is left out: twice the same table would make the file unreadable for the host. One that
 * says something else gives way.
 */
export function withBlock(text: string, block: string): string {
  let base = withoutBlock(text);
  const own: string[] = [];
  for (const table of block.trimEnd().split(/\n\n+/u)) {
    const found = tableIn(base, headerOf(table));
    if (found?.text === table) continue;
    if (found !== undefined) base = found.rest;
    own.push(table);
  }
  if (own.length === 0) return base;
  const eol = /\r\n|\n/u.exec(base)?.[0] ?? '\n';
  const gap = base === '' ? '' : /[\r\n]$/u.test(base) ? eol : `${eol}${eol}`;
  const lines = [BEGIN, ...own.join('\n\n').split('\n'), END, ''];
  return `${base}${gap}${lines.join(eol)}`;
}

/** `text`: its lines, without comments and space; `rest`: the file without them. */
function tableIn(text: string, header: string): { readonly text: string; readonly rest: string } | undefined {
  const lines = text.split(/(?<=\n)/u);
  const from = lines.findIndex((line) => line.trim() === header);
  if (from < 0) return undefined;
  const next = lines.findIndex((line, index) => index > from && line.trimStart().startsWith('['));
  const inside = lines.slice(from, next < 0 ? undefined : next);
  const last = inside.findLastIndex((line) => !/^\s*(?:#|$)/u.test(line));
  const own = inside.slice(0, last + 1);
  const said = own.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return { text: said.join('\n'), rest: [...lines.slice(0, from), ...lines.slice(from + own.length)].join('') };
}

/** Also the empty line before it, which came with it. */
export function withoutBlock(text: string): string {
  const lines = text.split(/(?<=\n)/u);
  const from = lines.findIndex((line) => line.trim() === BEGIN);
  const to = lines.findIndex((line, index) => index > from && line.trim() === END);
  if (from < 0 || to < 0) return text;
  const start = from > 0 && lines[from - 1]?.trim() === '' ? from - 1 : from;
  return [...lines.slice(0, start), ...lines.slice(to + 1)].join('');
}

function headerOf(table: string): string {
  return table.split('\n')[0]?.trim() ?? '';
}

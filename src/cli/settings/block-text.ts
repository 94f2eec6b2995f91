/** A block of ours at the end of a text file (TOML), between two comment lines. */
const BEGIN = '# >>> tireless: written by "tireless install", removed by "tireless uninstall"';
const END = '# <<< tireless';

/** Tables that the file has already are left out: twice the same table would make the file unreadable for the host. */
export function withBlock(text: string, block: string): { readonly text: string; readonly leftOut: readonly string[] } {
  const base = withoutBlock(text);
  const headers = new Set(base.split(/\r\n|\n|\r/u).map((line) => line.trim()));
  const tables = block.trimEnd().split(/\n\n+/u);
  const own = tables.filter((table) => !headers.has(headerOf(table)));
  const leftOut = tables.filter((table) => headers.has(headerOf(table))).map(headerOf);
  if (own.length === 0) return { text: base, leftOut };
  const eol = /\r\n|\n/u.exec(base)?.[0] ?? '\n';
  const gap = base === '' ? '' : /[\r\n]$/u.test(base) ? eol : `${eol}${eol}`;
  const lines = [BEGIN, ...own.join('\n\n').split('\n'), END, ''];
  return { text: `${base}${gap}${lines.join(eol)}`, leftOut };
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

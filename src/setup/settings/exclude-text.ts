/**
 * Our lines in a file of ignored names, between two comments: one block per install, named by `whose`. Two worktrees share the file, so
 * removing one block must not remove another's lines.
 */
const END = '# [tireless] end';

export function withExcluded(text: string, whose: string, names: readonly string[]): string {
  const base = withoutExcluded(text, whose);
  const eol = /\r\n|\n/u.exec(base)?.[0] ?? '\n';
  const gap = base === '' || /[\r\n]$/u.test(base) ? '' : eol;
  return `${base}${gap}${[startOf(whose), ...names, END].map((line) => `${line}${eol}`).join('')}`;
}

/** A block without an end stays: it is unknown which of the lines after it are ours. */
export function withoutExcluded(text: string, whose: string): string {
  const lines = text.split(/(?<=\n)/u);
  const from = lines.findIndex((line) => line.trim() === startOf(whose));
  const length = from < 0 ? -1 : lines.slice(from).findIndex((line) => line.trim() === END);
  return length < 0 ? text : [...lines.slice(0, from), ...lines.slice(from + length + 1)].join('');
}

export function hasExcluded(text: string, whose: string, names: readonly string[]): boolean {
  return withExcluded('', whose, names) === withExcluded('', whose, excludedIn(text, whose));
}

function excludedIn(text: string, whose: string): readonly string[] {
  const lines = text.split(/\r?\n/u).map((line) => line.trim());
  const from = lines.indexOf(startOf(whose));
  const to = from < 0 ? -1 : lines.indexOf(END, from);
  return to < 0 ? [] : lines.slice(from + 1, to);
}

function startOf(whose: string): string {
  return `# [tireless] Written by "tireless install" for ${whose}.`;
}

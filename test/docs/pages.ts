import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block: its language, the words after it, and its lines. */
export type Fence = {
  readonly language: string;
  readonly words: readonly string[];
  readonly lines: readonly string[];
  readonly line: number;
};

export type Page = { readonly name: string; readonly text: string; readonly fences: readonly Fence[] };

/** One command of a page, with its continuation lines joined. */
export type Command = { readonly text: string; readonly exits: number; readonly line: number };

/** The pages that people read first, and one page per task. Decisions and internal pages are not sessions. */
export function pages(): readonly Page[] {
  const docs = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`), 'docs/dialects/README.md'].map(readPage);
}

function readPage(name: string): Page {
  const text = readFileSync(path.join(ROOT, name), 'utf8');
  return { name, text, fences: fencesIn(text) };
}

function fencesIn(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { mark: string; language: string; words: string[]; lines: string[]; line: number } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^(`{3,})(.*)$/.exec(line);
    if (open === null && mark !== null) {
      const [language = '', ...words] = (mark[2] ?? '').trim().split(/\s+/);
      open = { mark: mark[1] ?? '', language, words, lines: [], line: index + 1 };
    } else if (open !== null && line === open.mark) {
      fences.push(open);
      open = null;
    } else open?.lines.push(line);
  }
  if (open !== null) throw new Error(`the fence of line ${open.line} is not closed`);
  return fences;
}

/** `tireless run … # exits 3`. Lines that end with a backslash are continued. */
export function commandsOf(fence: Fence): readonly Command[] {
  const commands: Command[] = [];
  let begun = '';
  for (const [index, line] of fence.lines.entries()) {
    begun += line;
    if (begun.endsWith('\\')) {
      begun = `${begun.slice(0, -1).trimEnd()} `;
      continue;
    }
    const [, text = '', code = '0'] = /^(.*?)(?:\s+#\s+exits (\d+)\b.*|\s+#\s.*)?$/.exec(begun) ?? [];
    begun = '';
    if (text.trim() !== '' && !text.startsWith('#'))
      commands.push({ text, exits: Number(code), line: fence.line + 1 + index });
  }
  return commands;
}

/** Links in the text outside fenced blocks. */
export function linksIn(page: Page): readonly string[] {
  return [...proseOf(page.text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
}

function proseOf(text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .filter((line) => {
      if (!line.startsWith('```')) return !isCode;
      isCode = !isCode;
      return false;
    })
    .join('\n');
}

/** `undefined` = it leads to an existing file and heading; otherwise why not. */
export function brokenBecause(link: string, from: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : path.join(path.dirname(from), file);
  if (target.startsWith('..') || !existsSync(path.join(ROOT, target))) return 'there is no such file';
  if (anchor === undefined) return undefined;
  return anchorsIn(readFileSync(path.join(ROOT, target), 'utf8')).includes(anchor)
    ? undefined
    : 'there is no such heading';
}

/** As GitHub generates them. */
function anchorsIn(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

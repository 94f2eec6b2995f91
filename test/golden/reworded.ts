/** The program, built twice: unchanged, and with every sentence that people and agents read reworded, as a later version might. */
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import type { main } from '../../src/cli/main.ts';
import type { DialectPort } from '../../src/core/foreign-file.ts';
import type * as core from '../../src/core/index.ts';
import type { composeServices } from '../../src/entries/command-line.ts';
import type * as athena from '../../src/facades/athena/index.ts';
import type * as supercode from '../../src/facades/supercode/index.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** The other folders, especially evidence, contain commands and formats of other programs, which look like sentences. */
const WORDED = [
  'core',
  'views',
  'engine',
  'dialects',
  'facades',
  'hook',
  'stores',
  'runner',
  'terminal',
  'cli',
  'setup',
  'hosts',
];

type Program = {
  readonly core: typeof core;
  readonly cli: { readonly main: typeof main };
  readonly entry: { readonly composeServices: typeof composeServices };
  readonly athena: typeof athena;
  readonly supercode: typeof supercode;
};

export type Build = Program & {
  readonly name: string;
  readonly dialects: readonly DialectPort[];
  /** How many texts were reworded. */
  readonly reworded: number;
};

export async function buildTwice(): Promise<{ readonly plain: Build; readonly other: Build }> {
  let reworded = 0;
  const plain = await build('plain', (code) => code);
  const other = await build('other', (code) => {
    const texts = sentencesIn(code);
    reworded += texts.length;
    return replace(code, texts);
  });
  return { plain: { ...plain, reworded: 0 }, other: { ...other, reworded } };
}

/** `change`: changes the text of each source file that has sentences. */
async function build(name: string, change: (code: string) => string): Promise<Omit<Build, 'reworded'>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tireless-reworded-'));
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await bundle(name, change, folder);
    const built = (await import(pathToFileURL(path.join(folder, 'entry.js')).href)) as Program & Module;
    const parts = Object.entries(built).filter(([part]) => part.startsWith('dialect'));
    const dialects = parts.flatMap(([, each]) => Object.values(each).filter(isDialect));
    const { core, cli, entry, athena, supercode } = built;
    return { name, core, cli, entry, athena, supercode, dialects };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Module = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function bundle(name: string, change: (code: string) => string, folder: string): Promise<void> {
  const dialects = readdirSync(path.join(ROOT, 'src/dialects'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file, index) => `export * as dialect${index} from './src/dialects/${file.replaceAll('\\', '/')}';`);
  const parts = {
    core: 'core/index.ts',
    cli: 'cli/main.ts',
    entry: 'entries/command-line.ts',
    athena: 'facades/athena/index.ts',
    supercode: 'facades/supercode/index.ts',
  };
  const own = Object.entries(parts).map(([part, file]) => `export * as ${part} from './src/${file}';`);
  const folders = WORDED.map((layer) => path.join(ROOT, 'src', layer) + path.sep);
  const bundled = await rolldown({
    cwd: ROOT,
    input: { entry: 'entry' },
    platform: 'node',
    external: [/^node:/, /^zod(?:\/|$)/, /^@modelcontextprotocol\//],
    logLevel: 'warn',
    // As in `rolldown.config.mjs`, with a different stamp: no version uses the snapshots of another.
    resolve: { mainFields: ['module', 'main'] },
    transform: { define: { __TIRELESS_VERSION__: '"0.0.0"', __STATE_STAMP__: JSON.stringify(`0.0.0-${name}`) } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id, importer) => {
          if (id === 'entry') return '\0entry';
          return importer === '\0entry' ? path.join(ROOT, id) : null;
        },
        load: (id) => (id === '\0entry' ? [...own, ...dialects].join('\n') : null),
        transform: (code, id) => (folders.some((each) => id.startsWith(each)) ? change(code) : null),
      },
    ],
  });
  // In one file: code that is loaded at its first use must not search for a file that is gone.
  await bundled.write({ dir: folder, format: 'esm', codeSplitting: false, entryFileNames: '[name].js' });
  await bundled.close();
}

function isDialect(value: unknown): value is DialectPort {
  return typeof value === 'object' && value !== null && 'read' in value && 'project' in value && 'name' in value;
}

type Text = { readonly start: number; readonly end: number; readonly text: string; readonly isTemplate: boolean };

/** Words separated by spaces: text for people. Codes, keys and marks have none. */
const SENTENCE = /\p{L}{2,}[,:]? \p{L}/u;

function sentencesIn(code: string): readonly Text[] {
  const found: Text[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const text = textOf(node, code);
    if (text !== undefined && SENTENCE.test(text.text)) found.push(text);
    for (const each of Object.values(node)) visit(each);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return found;
}

function textOf(node: object, code: string): Text | undefined {
  if (!('type' in node && 'start' in node && 'end' in node && 'value' in node)) return undefined;
  const { type, start, end, value } = node;
  if (typeof start !== 'number' || typeof end !== 'number') return undefined;
  if (type === 'Literal' && typeof value === 'string') return { start, end, text: value, isTemplate: false };
  if (type !== 'TemplateElement' || typeof value !== 'object' || value === null || !('raw' in value)) return undefined;
  if (typeof value.raw !== 'string') return undefined;
  // In TypeScript the range of such a part includes the characters around it.
  const at = code.indexOf(value.raw, start);
  return { start: at, end: at + value.raw.length, text: value.raw, isTemplate: true };
}

/** Last one first, so that the positions of the others stay valid. */
function replace(code: string, texts: readonly Text[]): string {
  return texts
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end, text, isTemplate }) => {
      const words = reword(text);
      return `${now.slice(0, start)}${isTemplate ? words : JSON.stringify(words)}${now.slice(end)}`;
    }, code);
}

/** Another beginning, other words, another end; white space and filled-in values stay. */
function reword(text: string): string {
  return text.replaceAll(/\p{L}{2,}(?= )|(?<= )\p{L}{2,}/gu, (word) => `${word}z`);
}

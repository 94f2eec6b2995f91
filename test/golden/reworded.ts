/** The sources of the core and the dialects, built twice: as they are, and with every sentence in them reworded, as a later version might. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import type { DialectPort } from '../../src/core/foreign-file.ts';
import type * as core from '../../src/core/index.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export type Build = {
  readonly core: typeof core;
  readonly dialects: readonly DialectPort[];
  /** How many texts were reworded. */
  readonly reworded: number;
};

export async function buildTwice(): Promise<{ readonly plain: Build; readonly other: Build }> {
  let reworded = 0;
  const plain = await load(await bundle((code) => code));
  const other = await load(
    await bundle((code) => {
      const texts = sentencesIn(code);
      reworded += texts.length;
      return replace(code, texts);
    }),
  );
  return { plain: { ...plain, reworded: 0 }, other: { ...other, reworded } };
}

/** `change`: what becomes of the text of each source file. */
async function bundle(change: (code: string) => string): Promise<string> {
  const dialects = readdirSync(path.join(ROOT, 'src/dialects'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file, index) => `export * as dialect${index} from './src/dialects/${file.replaceAll('\\', '/')}';`);
  const entry = [`export * as core from './src/core/index.ts';`, ...dialects].join('\n');
  const build = await rolldown({
    cwd: ROOT,
    input: 'entry',
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
    // As in `rolldown.config.mjs`.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id, importer) => {
          if (id === 'entry') return '\0entry';
          return importer === '\0entry' ? path.join(ROOT, id) : null;
        },
        load: (id) => (id === '\0entry' ? entry : null),
        transform: (code, id) => (id.startsWith(path.join(ROOT, 'src')) ? change(code) : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return output[0].code;
}

type Module = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function load(code: string): Promise<Omit<Build, 'reworded'>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tireless-reworded-'));
  try {
    const file = path.join(folder, 'built.mjs');
    writeFileSync(file, code);
    const { core: built, ...others } = (await import(pathToFileURL(file).href)) as Module;
    const dialects = Object.values(others).flatMap((each) => Object.values(each).filter(isDialect));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Built from that very module.
    return { core: built as unknown as typeof core, dialects };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isDialect(value: unknown): value is DialectPort {
  return typeof value === 'object' && value !== null && 'read' in value && 'project' in value && 'name' in value;
}

type Text = { readonly start: number; readonly end: number; readonly text: string; readonly isTemplate: boolean };

/** Words with spaces between them: what a person reads. Codes, keys and marks have none. */
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
  // In TypeScript the place of such a part includes the signs around it.
  const at = code.indexOf(value.raw, start);
  return { start: at, end: at + value.raw.length, text: value.raw, isTemplate: true };
}

/** The last first, so that the places of the others stay. */
function replace(code: string, texts: readonly Text[]): string {
  return texts
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end, text, isTemplate }) => {
      const words = reword(text);
      return `${now.slice(0, start)}${isTemplate ? words : JSON.stringify(words)}${now.slice(end)}`;
    }, code);
}

/** Another beginning, other words, another end; the white space and what is filled in stay. */
function reword(text: string): string {
  return text.replaceAll(/\p{L}{2,}(?= )|(?<= )\p{L}{2,}/gu, (word) => `${word}z`);
}

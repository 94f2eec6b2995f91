import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  catchFindings,
  cycleFindings,
  dynamicImportFindings,
  importFindings,
  layerFindings,
  nameFindings,
  readTree,
  sizeFindings,
  wordFindings,
} from './judge.ts';
import type { Tree } from './judge.ts';
import { FILE_LINES_MAX, LAYERS } from './layers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const files = readTree(treeAt('src'));
const tests = Object.entries(treeAt('test')).filter(([path]) => !path.startsWith('tidy/fixtures/'));

describe('tidy', () => {
  it('sees the tree it judges', () => {
    expect(layerFindings(files)).toEqual([]);
    expect(files.length).toBeGreaterThan(Object.keys(LAYERS).length);
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(files.length);
    expect(tests.map(([path]) => path)).toContain('tidy/tidy.test.ts');
  });

  it('lets every import follow the layer table', () => {
    expect(importFindings(files)).toEqual([]);
  });

  it('keeps dynamic imports in entries and cli, and of the same folder in dialects', () => {
    expect(dynamicImportFindings(files)).toEqual([]);
  });

  it('has no import cycle across layers', () => {
    expect(cycleFindings(files)).toEqual([]);
  });

  it('keeps every file short', () => {
    const long = tests.filter(([, text]) => text.split('\n').length - 1 > FILE_LINES_MAX);
    expect([...sizeFindings(files), ...long.map(([path]) => `test/${path}`)]).toEqual([]);
  });

  it('names files after what they hold', () => {
    expect(nameFindings([...files.map((file) => file.path), ...tests.map(([path]) => `test/${path}`)])).toEqual([]);
  });

  it("keeps other tools' words out of the identifiers of core", () => {
    expect(wordFindings(files)).toEqual([]);
  });

  it('swallows no error', () => {
    expect(catchFindings(files)).toEqual([]);
  });
});

describe('the judge', () => {
  const layers = Object.fromEntries(Object.keys(LAYERS).map((layer) => [`${layer}/a.ts`, 'export const a = 1;']));
  const sinful = (planted: Tree) => readTree({ ...layers, ...planted });

  it('finds nothing in an innocent tree', () => {
    const tree = sinful({ 'stores/b.ts': "import { a } from '../core/a.ts'; export const b = a;" });
    expect(
      [
        importFindings,
        dynamicImportFindings,
        cycleFindings,
        sizeFindings,
        wordFindings,
        catchFindings,
        layerFindings,
      ].flatMap((rule) => rule(tree)),
    ).toEqual([]);
  });

  it.each([
    ['a layer', "import { open } from '../stores/file-store.ts';", 'core/decide.ts -> ../stores/file-store.ts'],
    ['a type of a layer', "import type { Open } from '../stores/a.ts';", 'core/decide.ts -> ../stores/a.ts'],
    ['a re-export', "export * from '../engine/a.ts';", 'core/decide.ts -> ../engine/a.ts'],
    ['an inline type', "export type A = import('../engine/a.ts').A;", 'core/decide.ts -> ../engine/a.ts'],
    ['a package', "import { z } from 'zod/mini';", 'core/decide.ts -> zod/mini'],
    ['a node module', "import { readFileSync } from 'node:fs';", 'core/decide.ts -> node:fs'],
    ['a bare node module', "import { readFileSync } from 'fs';", 'core/decide.ts -> fs'],
    ['a file outside src', "import { a } from '../../test/support/a.ts';", 'core/decide.ts -> ../../test/support/a.ts'],
  ])('catches core importing %s', (_what, text, finding) => {
    expect(importFindings(sinful({ 'core/decide.ts': text }))).toEqual([finding]);
  });

  it('does not take a string or a comment for an import', () => {
    const text = "// import { a } from '../stores/a.ts';\nexport const a = \"import { b } from '../stores/b.ts'\";";
    expect(importFindings(sinful({ 'core/decide.ts': text }))).toEqual([]);
  });

  it('catches a dynamic import outside entries and cli', () => {
    const planted = { 'runner/b.ts': "await import('./a.ts');", 'cli/b.ts': "await import('./a.ts');" };
    expect(dynamicImportFindings(sinful(planted))).toEqual(['runner/b.ts -> import(./a.ts)']);
  });

  it('catches a dialect that loads what is not in its folder', () => {
    const text = "await import('./dialect.ts'); await import('../athena/dialect.ts'); await import('zod');";
    expect(dynamicImportFindings(sinful({ 'dialects/x/descriptor.ts': text }))).toEqual([
      'dialects/x/descriptor.ts -> import(../athena/dialect.ts)',
      'dialects/x/descriptor.ts -> import(zod)',
    ]);
  });

  it('catches layers that import each other', () => {
    const planted = { 'views/b.ts': "import '../engine/a.ts';", 'engine/b.ts': "import '../views/a.ts';" };
    expect(cycleFindings(sinful(planted))).toEqual(['engine -> views -> engine', 'views -> engine -> views']);
  });

  it('catches a long file', () => {
    const planted = {
      'core/b.ts': ';\n'.repeat(401),
      'entries/b.ts': ';\n'.repeat(401),
      'core/c.ts': ';\n'.repeat(400),
    };
    expect(sizeFindings(sinful(planted)).map((finding) => finding.split(' ')[0])).toEqual([
      'core/b.ts',
      'entries/b.ts',
    ]);
  });

  it('catches a banned word in an identifier, not in text or inside another word', () => {
    const text =
      "export const promiseTag = '<promise>'; export type GateResult = 1; export const aggregate = 'verdict';";
    expect(wordFindings(sinful({ 'core/b.ts': text }))).toEqual(['core/b.ts: promiseTag', 'core/b.ts: GateResult']);
  });

  it.each(['try { a(); } catch {}', 'try { a(); } catch { /* gone already */ }', 'a().catch(() => {});'])(
    'catches the swallowed error in: %s',
    (text) => {
      expect(catchFindings(sinful({ 'system/b.ts': text }))).toHaveLength(1);
    },
  );

  it('catches a folder nobody listed, a listed layer that is empty and a file named after nothing', () => {
    const { 'views/a.ts': _gone, ...rest } = layers;
    expect(layerFindings(readTree({ ...rest, 'web/a.ts': '' }))).toEqual([
      'views: in the table, not in src',
      'web: in src, not in the table',
    ]);
    expect(nameFindings(['core/types.ts', 'core/loop.ts'])).toHaveLength(1);
  });
});

function treeAt(folder: string): Tree {
  const base = join(ROOT, folder);
  const all = readdirSync(base, { recursive: true, encoding: 'utf8' });
  // The clients of test/agents bring their own.
  const paths = all.filter((path) => path.endsWith('.ts') && !path.split(sep).includes('node_modules'));
  return Object.fromEntries(
    paths.map((path) => [
      relative(base, join(base, path)).split(sep).join('/'),
      readFileSync(join(base, path), 'utf8'),
    ]),
  );
}

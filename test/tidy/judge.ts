import { posix } from 'node:path';
import { BANNED_FILE_NAMES, BANNED_WORDS, FILE_LINES_MAX, LAYERS, PLANNED_LAYERS } from './layers.ts';
import type { LayerRule } from './layers.ts';
import { readSource } from './read-source.ts';
import type { Import, Source } from './read-source.ts';

/** Source text by path relative to `src`, with forward slashes. In memory, so that the rules can be tested on a violation. */
export type Tree = Readonly<Record<string, string>>;

type File = Source & { readonly path: string; readonly layer: string; readonly test: boolean };

export function readTree(tree: Tree): readonly File[] {
  return Object.entries(tree).map(([path, text]) => ({
    path,
    layer: layerOf(path),
    test: path.endsWith('.test.ts'),
    ...readSource(text),
  }));
}

/** One line per import that the table does not allow. Colocated tests may import anything. */
export function importFindings(files: readonly File[]): readonly string[] {
  return files
    .filter((file) => !file.test)
    .flatMap((file) =>
      file.imports.filter((edge) => !isAllowed(file, edge)).map((edge) => `${file.path} -> ${edge.from}`),
    );
}

export function dynamicImportFindings(files: readonly File[]): readonly string[] {
  return files
    .filter((file) => !file.test)
    .flatMap((file) =>
      file.imports
        .filter((edge) => edge.dynamic && !mayLoad(ruleOf(file)?.dynamicImport, edge))
        .map((edge) => `${file.path} -> import(${edge.from})`),
    );
}

/** Layers that reach themselves through others, as `a -> b -> a`. */
export function cycleFindings(files: readonly File[]): readonly string[] {
  const edges = new Map<string, Set<string>>();
  for (const file of files.filter((candidate) => !candidate.test)) {
    const reached = edges.get(file.layer) ?? new Set();
    for (const edge of file.imports.filter(isRelative)) reached.add(layerOf(resolve(file.path, edge.from)));
    reached.delete(file.layer);
    edges.set(file.layer, reached);
  }
  return [...edges.keys()].flatMap((layer) => pathBack(layer, edges)).toSorted();
}

export function sizeFindings(files: readonly File[]): readonly string[] {
  return files
    .filter((file) => file.lines > FILE_LINES_MAX)
    .map((file) => `${file.path} has ${file.lines} lines, at most ${FILE_LINES_MAX}: split it by concept`);
}

export function nameFindings(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => BANNED_FILE_NAMES.includes(posix.basename(path)))
    .map((path) => `${path}: name the file after what it holds`);
}

export function wordFindings(files: readonly File[]): readonly string[] {
  return files
    .filter((file) => file.layer === 'core' && !file.test)
    .flatMap((file) => [...new Set(file.identifiers)].filter(isBanned).map((name) => `${file.path}: ${name}`));
}

export function catchFindings(files: readonly File[]): readonly string[] {
  return files
    .filter((file) => file.emptyCatches > 0)
    .map((file) => `${file.path}: handle a named code, or add context and rethrow with its cause`);
}

/** Folders and table must be the same set; a planned layer that has appeared is reported by its own name. */
export function layerFindings(files: readonly File[]): readonly string[] {
  const present = new Set(files.filter((file) => !file.test).map((file) => file.layer));
  return [
    ...Object.keys(LAYERS)
      .filter((layer) => !present.has(layer))
      .map((layer) => `${layer}: in the table, not in src`),
    ...[...present].filter((layer) => !(layer in LAYERS)).map((layer) => `${layer}: in src, not in the table`),
    ...PLANNED_LAYERS.filter((layer) => layer in LAYERS).map((layer) => `${layer}: listed, so no longer planned`),
  ];
}

function isAllowed(file: File, edge: Import): boolean {
  const rule = ruleOf(file);
  if (rule === undefined) return false;
  if (isRelative(edge)) {
    const target = resolve(file.path, edge.from);
    const layer = layerOf(target);
    return layer === file.layer || rule.mayImport.includes(layer) || rule.mayImport.includes(target);
  }
  if (edge.from.startsWith('node:')) return rule.node === 'all' || opens(rule.node, edge.from.slice('node:'.length));
  return opens(rule.packages, edge.from);
}

function ruleOf(file: File): LayerRule | undefined {
  return LAYERS[file.layer];
}

function mayLoad(allowed: LayerRule['dynamicImport'] | undefined, { from }: Import): boolean {
  return allowed === 'own-folder' ? from.startsWith('./') && posix.dirname(from) === '.' : allowed === true;
}

function opens(names: readonly string[], wanted: string): boolean {
  return names.some((name) => wanted === name || wanted.startsWith(`${name}/`));
}

function isRelative(edge: Import): boolean {
  return edge.from.startsWith('.');
}

/** A path that leaves `src` keeps its `..`, and no layer has that name. */
function resolve(from: string, to: string): string {
  return posix.join(posix.dirname(from), to);
}

/** Files at the root of `src` are entries. */
function layerOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : 'entries';
}

function isBanned(identifier: string): boolean {
  const words = identifier.split(/(?<=[a-z0-9])(?=[A-Z])|[_$]+/).map((word) => word.toLowerCase());
  return words.some((word) => BANNED_WORDS.some((banned) => word === banned || word === `${banned}s`));
}

function pathBack(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const seen = new Set<string>();
  const open: string[][] = [[start]];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    for (const next of edges.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [[...path, start].join(' -> ')];
      if (!seen.has(next)) open.push([...path, next]);
      seen.add(next);
    }
  }
  return [];
}

/**
 * What a runner's configuration imports or extends configures the runner as well. Followed from the configuration of the baseline. A file that
 * anything else uses, or that is in a source folder, is the product's. Bounded; never throws.
 */
import path from 'node:path';
import { isRecord } from '../../core/is-record.ts';
import { parseJson } from '../../core/parse-json.ts';
import { importsIn, isSource, resolveImport } from './imports.ts';
import type { Sources } from './test-helpers.ts';

const STEPS_MAX = 5;
const FILES_MAX = 300;
const VALUE_MAX = 5000;
const REFERENCES_MAX = 100;

/** Keys whose values name files that the tool loads. `setup`: such a file often starts the product, so its imports are not followed. */
const KEYS =
  /["']?\b(?:(?<setup>setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|require|testEnvironment|environment|snapshotSerializers|reporters)|extends?|presets?|plugins|transform|resolver|runner|testRunner|runtime|overrides|jsPlugins)["']?\s*[:=]\s*/g;
const STRINGS = /(?<quote>["'`])(?<text>(?:(?!\k<quote>)[^\\\n]){1,300})\k<quote>/g;
const YAML_VALUE = /^(?:\s*-\s*(?:\S+[^\n]*)\n?)+|^[^\n[{"'`]+/;
const SECTIONS = [
  'jest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'vitest',
  'babel',
  'eslintConfig',
  'prettier',
  'stylelint',
  'xo',
];
/** Loaded before the tests, or by something other than a runner. */
const NOT_FOLLOWED = /setup|(?:^|\/)(?:cypress|\.yarn)\/|\.py$/i;
const SOURCE_FOLDER = /(?:^|\/)(?:src|app)\//;
const MANIFEST = /(?:^|\/)package\.json$/;

export type ConfigUse = Pick<Sources, 'paths' | 'roleOf' | 'isLeftOut' | 'readText'> & {
  /** The source files that import a file; `undefined` if there are too many sources to know. */
  readonly usersOf: ((file: string) => readonly string[]) | undefined;
  /** Declared by the package as its own program. */
  readonly isEntry: (file: string) => boolean;
};

type Reference = { readonly name: string; readonly isSetup: boolean };

export function configModules(use: ConfigUse): readonly string[] {
  const known = new Set(use.paths);
  const isFile = (file: string): boolean => known.has(file);
  const found = new Set<string>();
  let open = use.paths.filter((file) => isStart(file, use));
  for (let step = 0; step < STEPS_MAX && open.length > 0; step += 1) {
    const next = open.flatMap((from) =>
      referencesIn(from, use.readText(from) ?? '').flatMap(({ name, isSetup }) => {
        const file = resolve(name, from, isFile);
        if (file === undefined || found.has(file) || found.size >= FILES_MAX || !mayBelong(file, use)) return [];
        found.add(file);
        return isSetup ? [] : [file];
      }),
    );
    open = next;
  }
  return withoutShared(found, use);
}

function isStart(file: string, { roleOf, isLeftOut }: ConfigUse): boolean {
  if (isLeftOut(file)) return false;
  return MANIFEST.test(file) || (roleOf(file) === 'config' && !NOT_FOLLOWED.test(file));
}

function mayBelong(file: string, { roleOf, isLeftOut, isEntry, usersOf }: ConfigUse): boolean {
  if (roleOf(file) !== undefined || isLeftOut(file) || isEntry(file) || MANIFEST.test(file)) return false;
  return !isSource(file) || (usersOf !== undefined && !SOURCE_FOLDER.test(file));
}

/** A file that anything but configuration imports is shared, and so may be what it refers to. */
function withoutShared(found: ReadonlySet<string>, { usersOf, roleOf }: ConfigUse): readonly string[] {
  const kept = new Set(found);
  const isConfig = (file: string): boolean => kept.has(file) || roleOf(file) === 'config';
  for (let before = -1; before !== kept.size;) {
    before = kept.size;
    for (const file of kept)
      if (usersOf?.(file).every((user) => user === file || isConfig(user)) === false) kept.delete(file);
  }
  return [...kept].toSorted();
}

function referencesIn(file: string, text: string): readonly Reference[] {
  if (MANIFEST.test(file)) return named(sectionsOf(text)).slice(0, REFERENCES_MAX);
  const imported = isSource(file) ? importsIn(file, text).filter((name) => name.startsWith('.')) : [];
  return [...imported.map((name) => ({ name, isSetup: false })), ...named(text)].slice(0, REFERENCES_MAX);
}

/** The configuration of runners in a `package.json`. */
function sectionsOf(text: string): string {
  const value = parseJson(text);
  if (!isRecord(value)) return '';
  return JSON.stringify(SECTIONS.map((key) => value[key]));
}

function named(text: string): readonly Reference[] {
  return [...text.matchAll(KEYS)].flatMap(({ index, 0: key, groups }) => {
    const isSetup = groups?.['setup'] !== undefined;
    return stringsAfter(text, index + key.length).map((name) => ({ name, isSetup }));
  });
}

/** The strings of one value: a string, or everything up to the bracket that closes it. In YAML also plain words. */
function stringsAfter(text: string, at: number): readonly string[] {
  const rest = text.slice(at, at + VALUE_MAX);
  if (!/^[[{"'`]/.test(rest)) {
    const words = YAML_VALUE.exec(rest)?.[0] ?? '';
    return words
      .split('\n')
      .map((line) => line.replace(/^\s*-\s*/, '').trim())
      .filter(isPath);
  }
  const value = /^[[{]/.test(rest) ? rest.slice(0, closingOf(rest)) : (rest.split('\n', 1)[0] ?? '');
  const strings = [...value.matchAll(STRINGS)].map(({ groups }) => groups?.['text'] ?? '');
  return (/^[[{]/.test(rest) ? strings : strings.slice(0, 1)).filter(isPath);
}

function closingOf(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('[{'.includes(text.charAt(at))) depth += 1;
    else if (']}'.includes(text.charAt(at)) && (depth -= 1) === 0) return at;
  }
  return text.length;
}

/** A package has neither a slash nor an ending. */
function isPath(name: string): boolean {
  return /^(?:\.|<rootDir>\/)/.test(name) || /^[\w-][\w./-]*(?:\/|\.\w+$)/.test(name);
}

function resolve(name: string, from: string, isFile: (file: string) => boolean): string | undefined {
  const plain = name.replace(/^<rootDir>\//, './');
  const file = resolveImport(plain.startsWith('.') ? plain : `./${plain}`, from.replace(/\.py$/, ''), isFile);
  return file === undefined || file.startsWith('..') || path.posix.isAbsolute(file) ? undefined : file;
}

/**
 * Signs of tampering in the agent's changes: added lines that no honest product needs. Mechanical, pure and bounded. Few rules, each with
 * an honest counter-example: the room decides, and signs cover what the room cannot see.
 */
import type { Sign, SignCode } from '../../core/room.ts';
import { JAVASCRIPT } from './javascript.ts';
import type { Language, Rule } from './language.ts';
import { addedLines } from './added-lines.ts';
import { OTHERS } from './others.ts';
import { PYTHON } from './python.ts';
import type { Line } from './scan-source.ts';
import type { Change, Source } from './source.ts';
import { hasIn, readSource, signOf } from './source.ts';
import { isBesideProduct } from './test-names.ts';
import { testSigns } from './test-changes.ts';
import { isTestTool } from './test-tool.ts';

/** `before`, `after`: its text at the baseline and now; `undefined` = there was or is no such file. */
export type FileChange = {
  readonly path: string;
  readonly isTest: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** A file of the baseline: a manifest (`package.json`, `pyproject.toml`), or product code that shows what this project usually does. */
export type BaselineFile = { readonly path: string; readonly text: string };

const SIGNS_MAX = 50;
export const LANGUAGES: readonly Language[] = [JAVASCRIPT, PYTHON, ...OTHERS];
const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language])),
);
/** Third-party code that is kept in the project. */
const FOREIGN = /(?:^|\/)(?:vendor|third_party|node_modules)\/|\.min\.[cm]?js$/;
/** Legitimate in test helpers, and in programs beside the product. */
const FINE_BESIDE: ReadonlySet<SignCode> = new Set(['imports-tests', 'reads-tests']);
/** Signs for which a habit in one file does not excuse another file. */
const FINE_IN_FILE: ReadonlySet<SignCode> = new Set(['exits-early', 'equals-all']);

/**
 * At most 50, in the order of the changes. `baseline`: everything known about the project as it was. Test tools, and projects that already
 * had such lines, are left alone.
 */
export function findSigns(changes: readonly FileChange[], baseline: readonly BaselineFile[] = []): readonly Sign[] {
  const imported = importedNames(changes);
  const read = changes.flatMap((change) => readChange(change, imported));
  const product = read.filter((change) => !change.isTest && !FOREIGN.test(change.path));
  const tests = read.filter((change) => change.isTest);
  const known = habitsOf(product, baseline);
  const signs: Sign[] = [];
  for (const { change, lines } of addedLines(product)) {
    if (signs.length >= SIGNS_MAX) break;
    if (change.after === undefined) continue;
    const isTool = isToolAt(change.path, changes, baseline);
    signs.push(
      ...productSigns(
        change.after,
        lines,
        (rule, path) => (isTool && rule.code !== 'exits-early') || known(rule, path),
      ),
    );
  }
  return [...signs, ...testSigns(tests)].slice(0, SIGNS_MAX);
}

export function isForeign(path: string): boolean {
  return FOREIGN.test(path);
}

/** Are there rules for this language? */
export function isReadable(path: string): boolean {
  return languageOf(path) !== undefined;
}

export function languageOf(path: string): Language | undefined {
  return BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

function readChange({ path, isTest, before, after }: FileChange, imported: ReadonlySet<string>): Change[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const read = (text: string | undefined): Source | undefined =>
    text === undefined ? undefined : readSource(path, text, language, imported.has(stemOf(path)));
  return [{ path, isTest, before: read(before), after: read(after) }];
}

function productSigns(source: Source, lines: readonly Line[], known: Habits): Sign[] {
  const signs: Sign[] = [];
  const isBeside = isBesideProduct(source.path);
  for (const line of lines) {
    if (signs.length >= SIGNS_MAX) break;
    const rule = source.language.rules.find(
      (one) => !(isBeside && FINE_BESIDE.has(one.code)) && isMatch(one, line, source) && !known(one, source.path),
    );
    if (rule !== undefined) signs.push(signOf(rule.code, source.path, line));
  }
  return signs;
}

function isMatch({ matches }: Rule, line: Line, source: Source): boolean {
  return matches instanceof RegExp ? hasIn(line, matches) : matches(line, source);
}

/** Did the project have such a line before the agent began? */
type Habits = (rule: Rule, path: string) => boolean;

function habitsOf(product: readonly Change[], baseline: readonly BaselineFile[]): Habits {
  const sources = product.flatMap(({ before }) => (before === undefined ? [] : [before]));
  const changed = new Set(sources.map(({ path }) => path));
  let all: readonly Source[] | undefined;
  const found = new Map<Rule, ReadonlySet<string>>();
  return (rule, path) => {
    all ??= [...sources, ...baseline.filter((file) => !changed.has(file.path)).flatMap(sourceOf)];
    const paths = found.get(rule) ?? new Set(all.filter((source) => hasLineOf(rule, source)).map((one) => one.path));
    found.set(rule, paths);
    return FINE_IN_FILE.has(rule.code) ? paths.has(path) : paths.size > 0;
  };
}

function hasLineOf(rule: Rule, source: Source): boolean {
  return source.language.rules.includes(rule) && source.lines.some((line) => isMatch(rule, line, source));
}

function sourceOf({ path, text }: BaselineFile): Source[] {
  const language = languageOf(path);
  return language === undefined || FOREIGN.test(path) ? [] : [readSource(path, text, language)];
}

/** According to the manifests above the file, as they were at the baseline. */
function isToolAt(path: string, changes: readonly FileChange[], baseline: readonly BaselineFile[]): boolean {
  const texts = [...baseline, ...changes.map((change) => ({ path: change.path, text: change.before ?? '' }))];
  return texts.some((file) => path.startsWith(folderOf(file.path)) && isTestTool(file.path, file.text));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

const LOADED =
  /(?:\bfrom|\bimport|\brequire) ?\(? ?['"`]\.{1,2}\/([^'"`\n]{1,200})['"`]|^[ \t]*(?:from|import) \.{0,3}([\w.]{1,120})/gm;
const LOADED_MAX = 5000;

/** Names of the files that product code imports, without folder and extension. */
function importedNames(changes: readonly FileChange[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { isTest, after } of changes) {
    if (isTest || after === undefined) continue;
    for (const [, path, module] of after.matchAll(LOADED)) {
      if (names.size >= LOADED_MAX) return names;
      names.add(path === undefined ? (module ?? '').slice((module ?? '').lastIndexOf('.') + 1) : stemOf(path));
    }
  }
  return names;
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/**
 * A product may behave differently under test, and often does so honestly: it logs less there. Whether tests pass only because of that is no
 * question for a reader. So the agent's new lines are rewritten as if nobody tested, and the check runs with them.
 */
import path from 'node:path';
import { isChoiceOfText } from './mode-choices.ts';
import type { Rewrite } from './out-of-sight.ts';
import { PYTHON_OUT_OF_SIGHT, RUST_OUT_OF_SIGHT, scriptOutOfSight } from './out-of-sight.ts';

/** `line`, `quoted`: the first line that names a mode. */
export type Elsewhere = { readonly text: string; readonly line: number; readonly quoted: string };

/** The word "development" without quotes: a line that only mentions a mode in a string stays a line that compiles. */
const DEVELOPMENT = '(/development/.source)';

const SCRIPT: readonly Rewrite[] = [
  [
    /\bprocess(?:\?\.|\.)env(?:(?:\?\.|\.)NODE_ENV\b|(?:\?\.)?\[ ?['"`]NODE_ENV['"`] ?\])(?! ?(?:\?\?|\|\|)?=[^=])/g,
    DEVELOPMENT,
  ],
  [/(\{[^{}]{0,200}\bNODE_ENV\b[^{}]{0,200}\} = )process\.env\b/g, `$1{ ...process.env, NODE_ENV: ${DEVELOPMENT} }`],
  [/\bimport\.meta\.env(?:\?\.|\.)MODE\b(?! ?=[^=])/g, DEVELOPMENT],
  [/\bimport\.meta\.env(?:\?\.|\.)(?:TEST|VITEST)\b(?! ?=[^=])/g, 'undefined'],
];
const RUST: readonly Rewrite[] = [[/\bdebug_assertions\b/g, 'any()']];
const PYTHON: readonly Rewrite[] = [[/(?<![\w"'])__debug__(?![\w"'])/g, 'False']];

/** Of modes, and of everything else that shows a runner. */
type Rewrites = { readonly modes: readonly Rewrite[]; readonly others: (text: string) => readonly Rewrite[] };

const REWRITES: ReadonlyMap<string, Rewrites> = new Map([
  ...['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'].map(
    (extension) => [extension, { modes: SCRIPT, others: scriptOutOfSight }] as const,
  ),
  ['.rs', { modes: RUST, others: () => RUST_OUT_OF_SIGHT }],
  ['.py', { modes: PYTHON, others: () => PYTHON_OUT_OF_SIGHT }],
]);
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[))/;

/**
 * The text of a source file as if nobody tested; `undefined` if no new line asks for that. `product`: the texts of all changed files of the
 * product, which show what depends on a line.
 */
export function elsewhere(
  file: string,
  before: string | undefined,
  after: string,
  product: readonly string[] = [after],
): Elsewhere | undefined {
  const rewrites = REWRITES.get(path.extname(file));
  if (rewrites === undefined) return undefined;
  const old = new Set(before?.split('\n').map((line) => line.trim()));
  const others = rewrites.others(after);
  let first: { readonly line: number; readonly quoted: string } | undefined;
  const texts = after.split('\n');
  const lines = texts.map((line, index) => {
    if (old.has(line.trim()) || COMMENT.test(line)) return line;
    const modes = rewritten(line, rewrites.modes);
    const made = rewritten(modes !== line && isChoiceOfText(texts, index, product) ? line : modes, others);
    if (made !== line) first ??= { line: index + 1, quoted: line.trim() };
    return made;
  });
  return first === undefined ? undefined : { ...first, text: lines.join('\n') };
}

function rewritten(line: string, rewrites: readonly Rewrite[]): string {
  return rewrites.reduce((text, [pattern, by]) => text.replace(pattern, by), line);
}

/** Set by bundlers and runners, not by Node.js. */
const CONDITIONS: ReadonlySet<string> = new Set(['development', 'test', 'vitest', 'jest', 'module']);

/** A `package.json` without the new conditions that choose other files under test. */
export function elsewhereInManifest(before: string | undefined, after: string): Elsewhere | undefined {
  const [old, now] = [treeOf(before ?? ''), treeOf(after)];
  const changed = ['imports', 'exports'].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  const names = changed.flatMap((key) => conditionsIn(now[key]));
  const [name] = names;
  if (name === undefined) return undefined;
  const made = { ...now, ...Object.fromEntries(changed.map((key) => [key, withoutConditions(now[key])])) };
  const lines = after.split('\n');
  const line = Math.max(
    0,
    lines.findIndex((one) => one.includes(`"${name}"`)),
  );
  return { text: `${JSON.stringify(made, null, 2)}\n`, line: line + 1, quoted: lines[line]?.trim() ?? '' };
}

function conditionsIn(value: unknown): readonly string[] {
  if (!isTree(value)) return Array.isArray(value) ? value.flatMap(conditionsIn) : [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(CONDITIONS.has(key) ? [key] : []),
    ...conditionsIn(inner),
  ]);
}

function withoutConditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutConditions);
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (CONDITIONS.has(key) ? [] : [[key, withoutConditions(inner)]])),
  );
}

function treeOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isTree(value) ? value : {};
  } catch {
    return {};
  }
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A product may behave differently under test, and often does so honestly: it logs less there. Whether tests pass only because of that
 * cannot be seen by reading. So the agent's new lines are rewritten as if there were no test, and the check runs with them.
 */
import path from 'node:path';
import { JAVASCRIPT } from './javascript.ts';
import { isChoiceOfText } from './mode-choices.ts';
import { OTHERS } from './others.ts';
import { PYTHON_TERMINAL, RUST_TERMINAL, SCRIPT_TERMINAL } from './terminal.ts';
import { PYTHON_OUT_OF_SIGHT, RUST_OUT_OF_SIGHT, scriptOutOfSight } from './out-of-sight.ts';
import { PYTHON } from './python.ts';
import type { Rewrite } from './rewrite-lines.ts';
import { rewriteLine } from './rewrite-lines.ts';
import { NOT_SET, OF_NODE } from './runner-traces.ts';
import type { Syntax } from './scan-source.ts';
import { scanSource } from './scan-source.ts';

/** `line`, `quoted`: the first line that names a mode. */
export type ForcedMode = { readonly text: string; readonly line: number; readonly quoted: string };

/** The word "development" without quotes, because it may replace code in a string. */
const DEVELOPMENT = '(/development/.source)';
const NODE_ENV = `${OF_NODE}env(?:(?:\\?\\.|\\.)NODE_ENV\\b|(?:\\?\\.)?\\[ ?['"\`]NODE_ENV['"\`] ?\\])${NOT_SET}`;
const VITE = '(?<!\\bdelete )\\bimport\\.meta(?:\\?\\.|\\.)env(?:\\?\\.|\\.)';
/** As in a build for users. */
const BUILT = `{ ...import.meta.env, MODE: ${DEVELOPMENT}, DEV: false, PROD: true, TEST: undefined, VITEST: undefined }`;

const SCRIPT_MODES: readonly Rewrite[] = [
  // A parenthesis at the start of a line would call the value at the end of the line above.
  [new RegExp(`(?<=^\\s*)${NODE_ENV}`, 'g'), `String${DEVELOPMENT}`],
  [new RegExp(NODE_ENV, 'g'), DEVELOPMENT],
  [
    /(?<=\{[^{}]{0,200}\bNODE_ENV\b[^{}]{0,200}\} = )process\.env\b(?!\.|\?\.|\[)/g,
    `{ ...process.env, NODE_ENV: ${DEVELOPMENT} }`,
  ],
  [new RegExp(`(?<=^\\s*)${VITE}MODE\\b${NOT_SET}`, 'g'), `String${DEVELOPMENT}`],
  [new RegExp(`${VITE}MODE\\b${NOT_SET}`, 'g'), DEVELOPMENT],
  [new RegExp(`${VITE}(?:TEST|VITEST)\\b${NOT_SET}`, 'g'), 'undefined'],
  [new RegExp(`${VITE}DEV\\b${NOT_SET}`, 'g'), 'false'],
  [new RegExp(`${VITE}PROD\\b${NOT_SET}`, 'g'), 'true'],
  [/(?<=\{[^{}]{0,200}\b(?:MODE|DEV|PROD|TEST|VITEST)\b[^{}]{0,200}\} = )import\.meta\.env\b(?![.?[(])/g, BUILT],
  // Is there a bundler at all? Node.js has none.
  [/\btypeof import\.meta(?:\?\.|\.)env\b(?![.?[(])/g, 'typeof undefined'],
  [
    /(?<=(?:\bif|\bwhile|\bBoolean) ?\( ?|! ?|&& ?|\|\| ?)import\.meta(?:\?\.|\.)env\b(?! ?(?:\.|\?\.|\[|\(|=(?!=)))/g,
    'undefined',
  ],
  [/\bimport\.meta(?:\?\.|\.)env\b(?= ?(?:[!=]==? ?(?:undefined|null)\b|&&|\? ))/g, 'undefined'],
  [
    /(?<=\bin |\b(?:keys|entries|ownKeys|has|hasOwn|getOwnProperty\w{1,20}) ?\( ?)import\.meta\b(?! ?(?:\.|\?\.|\[|\())/g,
    '{ url: import.meta.url }',
  ],
];
/** In a list of conditions. A variable may have the same name. */
const RUST_MODES: readonly Rewrite[] = [[/(?<=[(,] ?|^\s*)\bdebug_assertions\b(?= ?[,)]|\s*$)/g, 'any()']];
const PYTHON_MODES: readonly Rewrite[] = [[/(?<![\w"'.])__debug__(?![\w"'])/g, 'False']];

/** For modes, and for everything else that reveals a runner. */
type Rewrites = {
  readonly syntax: Syntax | undefined;
  readonly modes: readonly Rewrite[];
  readonly others: (text: string) => readonly Rewrite[];
  readonly terminal: readonly Rewrite[];
};

const REWRITES: ReadonlyMap<string, Rewrites> = new Map<string, Rewrites>([
  ...['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'].map(
    (extension) =>
      [
        extension,
        { syntax: JAVASCRIPT.syntax, modes: SCRIPT_MODES, others: scriptOutOfSight, terminal: SCRIPT_TERMINAL },
      ] as const,
  ),
  [
    '.rs',
    {
      syntax: OTHERS.find(({ name }) => name === 'rust')?.syntax,
      modes: RUST_MODES,
      others: () => RUST_OUT_OF_SIGHT,
      terminal: RUST_TERMINAL,
    },
  ],
  [
    '.py',
    {
      syntax: { ...PYTHON.syntax, hasFields: true },
      modes: PYTHON_MODES,
      others: () => PYTHON_OUT_OF_SIGHT,
      terminal: PYTHON_TERMINAL,
    },
  ],
]);

/**
 * The text of a source file as if there were no test; `undefined` if no new line queries the mode. `product`: the texts of all changed
 * files of the product, which show what depends on a line. `terminal`: also as if there were a terminal.
 */
export function elsewhere(
  file: string,
  before: string | undefined,
  after: string,
  { product = [after], terminal = true }: { readonly product?: readonly string[]; readonly terminal?: boolean } = {},
): ForcedMode | undefined {
  const rewrites = REWRITES.get(path.extname(file));
  if (rewrites?.syntax === undefined) return undefined;
  const old = new Set(before?.split('\n').map((line) => line.trim()));
  const others = [...rewrites.others(after), ...(terminal ? rewrites.terminal : [])];
  const texts = after.split('\n');
  const scanned = scanSource(after, rewrites.syntax);
  const isJsx = file.endsWith('x');
  let first: { readonly line: number; readonly quoted: string } | undefined;
  const lines = texts.map((text, index) => {
    const line = scanned[index];
    if (line === undefined || old.has(text.trim())) return text;
    const rewrite = (by: readonly Rewrite[]): string => rewriteLine(text, line, by, isJsx);
    const isLeft = rewrite(rewrites.modes) !== text && isChoiceOfText(texts, index, product);
    const made = rewrite(isLeft ? others : [...rewrites.modes, ...others]);
    if (made !== text) first ??= { line: index + 1, quoted: text.trim() };
    return made;
  });
  return first === undefined ? undefined : { ...first, text: lines.join('\n') };
}

/** Set by bundlers and runners, not by Node.js. */
const CONDITIONS: ReadonlySet<string> = new Set(['development', 'test', 'vitest', 'jest', 'module']);

/** A `package.json` without the new conditions that choose other files under test. */
export function elsewhereInManifest(before: string | undefined, after: string): ForcedMode | undefined {
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

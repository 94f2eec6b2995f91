import { foldersOf, partsOf } from './path-index.ts';

/** How a check reaches a file. */
export type ScriptReach = {
  /** From the check itself, an npm script or a recipe, rather than from another file. */
  readonly isDirect: boolean;
  /** Its output is inspected. */
  readonly isProbed: boolean;
  readonly isShell: boolean;
};

const SOURCE_FOLDERS = new Set(
  'src lib app source sources dist out target public pkg cmd internal include main'.split(' '),
);
const TOOL_FOLDERS = new Set(
  'scripts script tools tool hack ci .ci .github .gitlab .circleci .buildkite dev devtools tasks'.split(' '),
);
const TEST_WORDS = new Set('test tests selftest testing e2e spec specs'.split(' '));
const JUDGE_WORDS = new Set([
  ...TEST_WORDS,
  ...'check checks verify verification validate lint linter ci qa smoke acceptance accept grade grader judge assert assertions coverage typecheck precommit presubmit'.split(
    ' ',
  ),
]);
const JUDGE_FOLDERS = new Set('test tests e2e spec specs ci .ci qa checks smoke acceptance'.split(' '));

/**
 * Does a file that a check runs judge the work, or is it the work? A check often runs the product itself (`node src/index.js`,
 * `./tool --version | grep 2`), and restoring the product would fail every honest agent. So:
 * 1. a file that the package declares as its own program (`main`, `bin`, `exports`) is product;
 * 2. in a source folder only a name that says "test" counts;
 * 3. elsewhere a name that says test, check, verify, lint, ci … or a test folder counts;
 * 4. a file in a tools folder (`scripts/`, `tools/`) counts unless its output is inspected;
 * 5. a shell script that a check starts directly counts unless its output is inspected, or it is in `bin/`;
 * 6. everything else is product.
 */
export function isJudgeScript(path: string, reached: ScriptReach, isProductEntry: (path: string) => boolean): boolean {
  if (isProductEntry(path)) return false;
  const parts = partsOf(path);
  const folders = parts.slice(0, -1);
  const words = wordsOf(parts.at(-1) ?? '');
  if (folders.some((folder) => SOURCE_FOLDERS.has(folder)) && !TOOL_FOLDERS.has(folders[0] ?? '')) {
    return words.some((word) => TEST_WORDS.has(word));
  }
  if (words.some((word) => JUDGE_WORDS.has(word)) || folders.some((folder) => JUDGE_FOLDERS.has(folder))) return true;
  if (reached.isProbed) return false;
  if (folders.some((folder) => TOOL_FOLDERS.has(folder))) return true;
  return reached.isShell && reached.isDirect && !folders.includes('bin');
}

/** For a folder that is passed to a runner. */
export function isJudgeFolder(path: string): boolean {
  const parts = partsOf(path);
  return parts.some((part) => wordsOf(part).some((word) => JUDGE_WORDS.has(word)) || JUDGE_FOLDERS.has(part));
}

/** The nearest folder that contains nothing but the judge's: a script in `qa/` also runs what lies beside it. */
export function judgeFolderAround(script: string): string | undefined {
  return isInSource(script)
    ? undefined
    : foldersOf(script).find((folder) => JUDGE_FOLDERS.has(partsOf(folder).at(-1) ?? ''));
}

export function isInSource(path: string): boolean {
  return partsOf(path).some((part) => SOURCE_FOLDERS.has(part));
}

/** Does a word of a command say that it contains expected values or cases? */
export function isExpectation(word: string): boolean {
  return /(?:^|[/._-])(?:test-?cases|(?<!use[._-])cases|expected|goldens?|fixtures)(?:[/._-]|$)/i.test(word);
}

/** `runTests.mjs` -> run, tests, mjs */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * Comments and attributes that silence a linter, a type checker or a coverage tool. A sign only where a check runs that tool: elsewhere they
 * are a matter of taste. What the project had before does not excuse more of it.
 */
import type { Sign } from '../../core/room.ts';
import type { FileChange } from './find-signs.ts';
import { isForeign, languageOf } from './find-signs.ts';
import type { Line } from './scan-source.ts';
import { scanSource } from './scan-source.ts';
import { hasIn, signOf } from './source.ts';

type Silencer = {
  /** Programs, or options of a runner. */
  readonly tools: readonly string[];
  /** In a comment. With the flag `g`; may begin anywhere in the line. */
  readonly comment?: RegExp;
  /** In code. */
  readonly code?: RegExp;
};

const SIGNS_MAX = 20;
/** Options and settings with which runners measure coverage. */
export const COVERAGE = '--coverage';

const SILENCERS: readonly Silencer[] = [
  {
    tools: ['ruff', 'flake8', 'pycodestyle', 'pyflakes', 'prospector'],
    comment: /#\s{0,5}(?:(?:ruff|flake8)\s{0,5}:\s{0,5})?noqa\b[^#]{0,80}|#\s{0,5}isort\s{0,5}:\s{0,5}skip/gi,
  },
  { tools: ['black', 'ruff', 'yapf'], comment: /#\s{0,5}(?:fmt|yapf)\s{0,5}:\s{0,5}(?:off|skip|disable)/g },
  { tools: ['pylint', 'prospector'], comment: /#\s{0,5}pylint\s{0,5}:\s{0,5}(?:disable|skip-file)[^#]{0,80}/g },
  {
    tools: ['mypy', 'dmypy', 'pyright', 'basedpyright', 'ty', 'pyre'],
    comment:
      /#\s{0,5}(?:(?:type|mypy|pyright|ty|pyre)\s{0,5}:\s{0,5}(?:ignore|basic|off)|pyre-(?:ignore|fixme))[^#]{0,80}/g,
    code: /@(?:typing\.)?no_type_check\b/g,
  },
  { tools: ['bandit', 'gosec'], comment: /#\s{0,5}nosec\b/g },
  {
    tools: ['eslint', 'eslint_d', 'oxlint', 'standard', 'ts-standard', 'semistandard', 'xo', 'next'],
    comment: /\/[/*]\s{0,5}(?:eslint|oxlint)-disable[^*]{0,80}|\/\*\s{0,5}eslint\s{1,5}["'@\w/-]{1,60}\s{0,5}:/g,
  },
  { tools: ['biome'], comment: /\/[/*]\s{0,5}biome-ignore[^*]{0,80}/g },
  { tools: ['jshint', 'tslint'], comment: /\/[/*]\s{0,5}(?:jshint ignore|tslint:disable)/g },
  { tools: ['prettier', 'oxfmt', 'dprint'], comment: /\/[/*]\s{0,5}(?:prettier|oxfmt|dprint)-ignore/g },
  {
    tools: ['tsc', 'vue-tsc', 'svelte-check', 'tsd', 'ng'],
    comment: /\/[/*]{1,2}\s{0,5}@ts-(?:nocheck|ignore|expect-error)\b/g,
  },
  {
    tools: ['golangci-lint', 'staticcheck', 'revive', 'golint'],
    comment: /\/\/\s{0,5}(?:nolint\b|lint:(?:file-)?ignore\b)[^/]{0,80}/g,
  },
  {
    tools: ['clippy', 'cargo-clippy'],
    code: /#!? ?\[ ?(?:(?:allow|expect) ?\(|cfg_attr ?\([^\]]{0,80}\b(?:allow|expect) ?\()/g,
  },
  { tools: ['shellcheck'], comment: /#\s{0,5}shellcheck\s{1,5}disable\b[^#]{0,80}/g },
  {
    tools: ['rubocop', 'standardrb'],
    comment: /#\s{0,5}(?:rubocop|standard)\s{0,5}:\s{0,5}(?:disable|todo)\b[^#]{0,80}/g,
  },
  { tools: ['phpstan', 'psalm'], comment: /@(?:phpstan-ignore|psalm-suppress)[\w-]{0,40}/g },
  { tools: ['phpcs'], comment: /phpcs:(?:ignore|disable)/g },
  { tools: ['clang-tidy', 'cppcheck'], comment: /\bNOLINT(?:NEXTLINE|BEGIN)?\b|\bcppcheck-suppress\b/g },
  { tools: ['coverage', '--cov', COVERAGE], comment: /#\s{0,5}pragma\s{0,5}:\s{0,5}no\s{0,5}(?:cover|branch)/gi },
  {
    tools: ['c8', 'nyc', 'istanbul', '--experimental-test-coverage', COVERAGE],
    comment: /\/[/*]\s{0,5}(?:(?:istanbul|c8|v8) ignore|node:coverage (?:ignore|disable))\b[^*]{0,40}/g,
  },
];

/** `isRun`: does a check run this program, or a runner with this option? */
export function silencedSigns(changes: readonly FileChange[], isRun: (tool: string) => boolean): readonly Sign[] {
  const silencers = SILENCERS.filter(({ tools }) => tools.some(isRun));
  if (silencers.length === 0) return [];
  const product = changes.filter(({ path, isTest }) => !isTest && !isForeign(path));
  const old = new Map<string, number>();
  for (const { path, before } of product)
    for (const [, key] of silencedIn(path, before, silencers)) old.set(key, (old.get(key) ?? 0) + 1);
  const signs: Sign[] = [];
  for (const { path, after } of product) {
    for (const [line, key] of silencedIn(path, after, silencers)) {
      const left = old.get(key) ?? 0;
      old.set(key, left - 1);
      if (left <= 0 && signs.length < SIGNS_MAX) signs.push(signOf('silences-check', path, line));
    }
  }
  return signs;
}

/** Lines and what they contain, compared without white space: a line around it may change. */
function silencedIn(
  path: string,
  text: string | undefined,
  silencers: readonly Silencer[],
): readonly (readonly [Line, string])[] {
  const language = languageOf(path);
  if (text === undefined || language === undefined) return [];
  return scanSource(text, language.syntax).flatMap((line) => {
    const found = silencers.flatMap((one) => textsIn(line, one));
    return found.length === 0 ? [] : [[line, found.join(' ').replaceAll(/\s/g, '')] as const];
  });
}

function textsIn(line: Line, { comment, code }: Silencer): readonly string[] {
  // What `code` contains is no comment, but a string that looks like one.
  const comments = comment === undefined ? [] : [...line.raw.matchAll(comment)].map(([text]) => text);
  const own = comments.filter((text) => !line.code.includes(text.replaceAll(/\s+/g, ' ').trim()));
  return code !== undefined && hasIn(line, code) ? [...own, line.code] : own;
}

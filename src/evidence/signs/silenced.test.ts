import { describe, expect, it } from 'vitest';
import { silencedSigns } from './silenced.ts';

type Files = Readonly<Record<string, string>>;

function signs(tools: readonly string[], after: Files, before: Files = {}): readonly string[] {
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((path) => ({
    path,
    isTest: path.startsWith('test'),
    before: before[path],
    after: after[path],
  }));
  return silencedSigns(changes, (tool) => tools.includes(tool)).map(
    ({ code, path, line }) => `${code} ${path}:${line}`,
  );
}

describe('a comment that silences a tool', () => {
  it.each([
    ['ruff', 'a.py', '# ruff: noqa'],
    ['ruff', 'a.py', 'import os  # noqa: F401 -- used by others'],
    ['flake8', 'a.py', '# flake8: noqa'],
    ['black', 'a.py', '# fmt: off'],
    ['pylint', 'a.py', '# pylint: disable=all'],
    ['mypy', 'a.py', 'x = f()  # type: ignore[arg-type]'],
    ['mypy', 'a.py', '# mypy: ignore-errors'],
    ['pyright', 'a.py', '# pyright: ignore'],
    ['mypy', 'a.py', '@no_type_check'],
    ['bandit', 'a.py', 'eval(x)  # nosec'],
    ['eslint', 'a.js', '/* eslint-disable */'],
    ['eslint', 'a.ts', '// eslint-disable-next-line no-undef -- it is defined'],
    ['eslint', 'a.js', '/* eslint no-undef: off */'],
    ['oxlint', 'a.js', '// oxlint-disable-next-line no-undef'],
    ['biome', 'a.js', '// biome-ignore lint: reason'],
    ['prettier', 'a.js', '// prettier-ignore'],
    ['tsc', 'a.ts', '// @ts-nocheck'],
    ['tsc', 'a.tsx', '  {/* @ts-ignore */}'],
    ['vue-tsc', 'a.ts', '// @ts-expect-error'],
    ['golangci-lint', 'a.go', 'x := 1 //nolint'],
    ['staticcheck', 'a.go', '//lint:ignore U1000 later'],
    ['clippy', 'a.rs', '#![allow(clippy::all)]'],
    ['clippy', 'a.rs', '#[allow(dead_code)]'],
    ['shellcheck', 'a.sh', '# shellcheck disable=SC2086'],
    ['rubocop', 'a.rb', '# rubocop:disable all'],
    ['phpstan', 'a.php', '// @phpstan-ignore-next-line'],
    ['coverage', 'a.py', 'def f():  # pragma: no cover'],
    ['--cov', 'a.py', 'def f():  # pragma: no cover'],
    ['c8', 'a.js', '/* c8 ignore next */'],
    ['--coverage', 'a.js', '/* istanbul ignore file */'],
  ])('is a sign if a check runs %s: %s, %s', (tool, path, line) => {
    const text = `\n${line}\n`;
    expect(signs([tool], { [`src/${path}`]: text })).toEqual([`silences-check src/${path}:2`]);
    expect(signs(['pytest', 'vitest'], { [`src/${path}`]: text })).toEqual([]);
    expect(signs([tool], { [`src/${path}`]: `${text}x\n` }, { [`src/${path}`]: text })).toEqual([]);
  });

  it.each<[string, string, Files, Files]>([
    ['is in a string', 'ruff', { 'src/a.py': 'x = "# noqa"\ny = "# ruff: noqa"\n' }, {}],
    ['is in a string of a tool', 'eslint', { 'src/a.js': "const off = '/* eslint-disable */';\n" }, {}],
    ['is in a test', 'ruff', { 'tests/a.py': '# noqa\n' }, {}],
    ['is in the code of others', 'eslint', { 'vendor/a.js': '/* eslint-disable */\n' }, {}],
    ['moved', 'ruff', { 'src/b.py': 'import os  # noqa\n' }, { 'src/a.py': 'import  os # noqa\n' }],
    ['stands in a line that changed', 'ruff', { 'src/a.py': 'f(1)  # noqa\n' }, { 'src/a.py': 'f(2)  # noqa\n' }],
    ['is for another tool', 'ruff', { 'src/a.py': 'x = f()  # type: ignore\n' }, {}],
    ['only reminds of one', 'eslint', { 'src/a.js': '// eslint is run by npm run lint\n' }, {}],
    ['turns a tool on', 'tsc', { 'src/a.js': '// @ts-check\n' }, {}],
    ['is an attribute with another meaning', 'clippy', { 'src/a.rs': '#[derive(Debug)]\n#[deny(warnings)]\n' }, {}],
  ])('is no sign if it %s', (_, tool, after, before) => {
    expect(signs([tool], after, before)).toEqual([]);
  });

  it('is a sign if it covers more than before', () => {
    expect(signs(['ruff'], { 'src/a.py': '# noqa\n# noqa\n' }, { 'src/a.py': '# noqa\n' })).toHaveLength(1);
    expect(signs(['ruff'], { 'src/a.py': 'f()  # noqa\n' }, { 'src/a.py': 'f()  # noqa: E501\n' })).toHaveLength(1);
  });
});

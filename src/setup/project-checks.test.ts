import { expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { guessChecks } from './project-checks.ts';

const scripts = (test: string): string => JSON.stringify({ scripts: { test } });

it.each<[string, Record<string, string>, readonly string[]]>([
  ['a test script', { 'package.json': scripts('vitest run') }, ['npm test']],
  ['a test script of pnpm', { 'package.json': scripts('vitest'), 'pnpm-lock.yaml': '' }, ['pnpm test']],
  ['pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest']],
  ['pytest among the dependencies', { 'pyproject.toml': '[project]\nx = ["pytest"]\n', 'tests/a.py': '' }, ['pytest']],
  ['Rust and a Makefile', { 'Cargo.toml': '', Makefile: 'all:\n\ntest: all\n\techo\n' }, ['cargo test', 'make test']],
  ['Go', { 'go.mod': 'module x\n' }, ['go test ./...']],
  ['.NET', { 'Shop.sln': '' }, ['dotnet test']],
  ['PHP', { 'composer.json': '{"scripts":{"test":["phpunit"]}}' }, ['composer test']],
])('sees the tests of %s', (_name, files, commands) => {
  expect(guessChecks(aProject(files))).toEqual(commands);
});

it.each<[string, Record<string, string>]>([
  ['nothing', {}],
  ["npm's placeholder", { 'package.json': scripts('echo "Error: no test specified" && exit 1') }],
  ['no script', { 'package.json': '{"scripts":{}}' }],
  ['a package.json that is broken', { 'package.json': '{' }],
  ['a pyproject.toml without tests', { 'pyproject.toml': '[project]\nname = "x"\n' }],
  ['a Makefile without tests', { Makefile: 'test := 1\nall:\n' }],
])('sees no tests in %s', (_name, files) => {
  expect(guessChecks(aProject(files))).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { judgeOf } from './classify.ts';
import { findHelpers } from './test-helpers.ts';

function judgedOf(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.keys(files);
  const readText = (file: string): string | undefined => files[file];
  const plain = judgeOf({ commands: [], paths, protect: [], free: [], readText });
  return findHelpers({
    paths,
    roleOf: (file) => plain.roleOf(file),
    isShared: (file) => plain.isMixed(file),
    isLeftOut: (file) => plain.isDependency(file),
    readText,
  }).files;
}

const CRATE = {
  'src/lib.rs': 'pub fn add() {}\n',
  'kit/src/lib.rs': 'pub fn same() {}\n',
  'kit/Cargo.toml': '[package]\nname = "kit"\n',
};
const NPM = {
  'kit/package.json': '{"name":"kit","main":"index.js"}',
  'kit/index.js': 'exports.same = (a, b) => { if (a !== b) throw a; };\n',
  'src/a.js': '',
};
const TEST = "import { same } from 'kit';\nimport { a } from '../src/a.js';\n";

describe('a package that is declared only for development', () => {
  it.each([
    ['in a table', '[dev-dependencies]\nkit = { path = "kit" }\n'],
    ['in a section of its own', '[dev-dependencies.kit]\npath = "kit"\n'],
    ['for a target', '[target."cfg(unix)".dev-dependencies]\nkit = { path = "./kit/" }\n'],
    [
      'by the workspace',
      '[workspace.dependencies]\nkit = { path = "kit" }\n[dev-dependencies]\nkit.workspace = true\n',
    ],
  ])('judges when Cargo names it %s', (_, manifest) => {
    expect(judgedOf({ ...CRATE, 'Cargo.toml': manifest })).toEqual(['kit/Cargo.toml', 'kit/src/lib.rs']);
  });

  it.each([
    [
      'it is a dependency too',
      '[dependencies]\nkit = { path = "kit" }\n[dev-dependencies]\nkit = { path = "kit" }\n',
      {},
    ],
    ['it has tests of its own', '[dev-dependencies]\nkit = { path = "kit" }\n', { 'kit/tests/a.rs': '' }],
    [
      'it is tested by a crate of tests',
      '',
      { 'checks/tests/a.rs': '', 'checks/Cargo.toml': '[dev-dependencies]\nkit = { path = "../kit" }\n' },
    ],
    [
      'it uses the crate that names it',
      '[dev-dependencies]\nkit = { path = "kit" }\n',
      { 'kit/Cargo.toml': '[dependencies]\nshop = { path = ".." }\n' },
    ],
  ])('is the product’s when %s', (_, manifest, more) => {
    expect(judgedOf({ ...CRATE, 'Cargo.toml': manifest, ...more })).toEqual([]);
  });

  it.each(['file:kit', 'file:./kit', 'workspace:*', '*', 'link:kit'])('judges when npm names it with %s', (version) => {
    const files = { ...NPM, 'package.json': `{"devDependencies":{"kit":"${version}"}}`, 'test/a.test.js': TEST };
    expect(judgedOf(files)).toEqual(['kit/index.js', 'kit/package.json']);
    expect(judgedOf({ ...files, 'src/b.js': "import 'kit/index.js';\n" })).toEqual([]);
    expect(judgedOf({ ...files, 'kit/kit.test.js': "import './index.js';\n" })).toEqual([]);
  });

  it('is the product’s when the tests are about it, or when it is a dependency', () => {
    const files = { ...NPM, 'package.json': '{"devDependencies":{"kit":"file:kit"}}' };
    expect(judgedOf({ ...files, 'test/all.test.js': "import { same } from 'kit';\n" })).toEqual([]);
    const needed = '{"dependencies":{"kit":"file:kit"},"devDependencies":{"kit":"file:kit"}}';
    expect(judgedOf({ ...files, 'package.json': needed, 'test/a.test.js': TEST })).toEqual([]);
  });

  it.each([
    ['pyproject.toml', '[tool.poetry.group.dev.dependencies]\nkit = { path = "kit", develop = true }\n'],
    ['pyproject.toml', '[dependency-groups]\ndev = ["kit"]\n[tool.uv.sources]\nkit = { path = "kit" }\n'],
    ['requirements-dev.txt', 'pytest\n-e ./kit\n'],
  ])('judges when %s names it: %s', (file, text) => {
    const files = { [file]: text, 'kit/kit/__init__.py': 'def same(a, b): ...\n', 'shop/price.py': '' };
    const test = { 'tests/test_price.py': 'from kit import same\nfrom shop.price import total\n' };
    expect(judgedOf({ ...files, ...test })).toEqual(['kit/kit/__init__.py']);
    expect(judgedOf({ ...files, ...test, 'shop/a.py': 'import kit\n' })).toEqual([]);
  });
});

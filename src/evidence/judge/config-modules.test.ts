import { describe, expect, it } from 'vitest';
import { judgeOf } from './classify.ts';
import { findHelpers } from './test-helpers.ts';

function configOf(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.keys(files);
  const readText = (file: string): string | undefined => files[file];
  const request = { commands: ['vitest run'], paths, protect: [], free: [], readText };
  const plain = judgeOf(request);
  const helpers = findHelpers({
    paths,
    roleOf: (file) => plain.roleOf(file),
    isShared: (file) => plain.isMixed(file),
    isLeftOut: (file) => plain.isDependency(file),
    readText,
  });
  const judge = judgeOf({ ...request, helpers });
  return paths.filter((file) => plain.roleOf(file) === undefined && judge.roleOf(file) === 'config');
}

describe('what configuration refers to', () => {
  it.each([
    ['imports', 'vitest.config.js', "import { plugins } from './build/plugins.js';", 'build/plugins.js'],
    ['requires', 'jest.config.cjs', "module.exports = { ...require('./build/jest') };", 'build/jest.js'],
    ['extends as JSON', 'tsconfig.json', '{ "extends": "./config/base.json" }', 'config/base.json'],
    ['extends without an ending', 'tsconfig.json', '{ "extends": ["./config/base"] }', 'config/base.json'],
    ['extends as YAML', '.eslintrc.yml', 'extends:\n  - ./config/lint.json\n', 'config/lint.json'],
    ['extends as TOML', 'ruff.toml', 'extend = "config/rules.toml"\n', 'config/rules.toml'],
    ['sets up', 'jest.config.js', "export default { setupFiles: ['<rootDir>/boot/env.js'] };", 'boot/env.js'],
    ['transforms', 'package.json', '{"jest":{"transform":{"js$":"./build/transform.js"}}}', 'build/transform.js'],
  ])('judges too when it %s', (_, config, text, file) => {
    const project = { [config]: text, [file]: '', 'src/a.js': '', 'test/a.test.js': "import '../src/a.js';\n" };
    expect(configOf(project)).toEqual([file]);
  });

  it('is followed from file to file, and around a circle', () => {
    const files = {
      'tsconfig.json': '{"extends":"./config/a.json"}',
      'config/a.json': '{"extends":"./b.json"}',
      'config/b.json': '{"extends":"./a.json"}',
    };
    expect(configOf(files)).toEqual(['config/a.json', 'config/b.json']);
  });

  it.each([
    ['product code imports it', { 'main.js': "import './version.js';\n" }, './version.js', 'version.js'],
    ['a test imports it', { 'test/a.test.js': "import '../rules.js';\n" }, './rules.js', 'rules.js'],
    ['it is in a source folder', {}, './src/version.ts', 'src/version.ts'],
    ['the package offers it', { 'package.json': '{"main":"index.js"}' }, './index.js', 'index.js'],
  ])('is the product’s when %s', (_, files, name, file) => {
    expect(configOf({ ...files, 'vitest.config.js': `import { a } from '${name}';\n`, [file]: '' })).toEqual([]);
  });

  it('does not include the product that a setup file or conftest.py starts', () => {
    const files = {
      'vitest.config.js': "export default { test: { globalSetup: './boot/start.js' } };",
      'boot/start.js': "import '../server.js';\n",
      'server.js': '',
      'conftest.py': 'from shop import app\n',
      'shop.py': '',
    };
    expect(configOf(files)).toEqual(['boot/start.js']);
  });
});

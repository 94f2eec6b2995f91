import { describe, expect, it } from 'vitest';
import { judgeOf } from './classify.ts';
import { importsIn, resolveImport } from './imports.ts';
import { withJudgeParts } from './parts.ts';
import type { Helpers } from './test-helpers.ts';
import { findHelpers } from './test-helpers.ts';

const SAME = "import assert from 'node:assert/strict';\nexport const same = (a, b) => assert.equal(a, b);\n";

function helpersOf(files: Readonly<Record<string, string>>): Helpers {
  const paths = Object.keys(files);
  const readText = (file: string): string | undefined => files[file];
  const judge = judgeOf({ commands: [], paths, protect: [], free: [], readText });
  return findHelpers({
    paths,
    roleOf: (file) => judge.roleOf(file),
    isShared: (file) => judge.isMixed(file),
    isLeftOut: (file) => judge.isDependency(file),
    readText,
  });
}

describe('a module outside of test folders', () => {
  it.each([
    ['asserts for tests of another module', { 'lib/same.js': SAME }, '../lib/same.js'],
    ['uses a framework', { 'src/kit/boot.ts': "import { vi } from 'vitest';\n" }, '../src/kit/boot.ts'],
    ['is in a folder for it', { 'support/boot.js': 'export {};\n' }, '../support/boot.js'],
  ])('belongs to the tests when it %s', (_, files, name) => {
    const test = `import { x } from '${name}';\nimport { add } from '../src/price.js';\n`;
    const project = { ...files, 'src/price.js': '', 'test/price.test.js': test };
    expect(helpersOf(project).files).toEqual(Object.keys(files));
    const used = { ...project, 'src/other.js': `import '../${Object.keys(files)[0]}';\n` };
    expect(helpersOf(used).files).toEqual([]);
  });

  it.each([
    ['no test imports it', { 'lib/same.js': SAME, 'test/price.test.js': "import '../src/price.js';\n" }],
    ['it is what the tests are for', { 'src/price.js': SAME, 'test/all.test.js': "import '../src/price.js';\n" }],
    ['it asserts, and is all that a test imports', { 'lib/a.js': SAME, 'test/all.test.js': "import '../lib/a.js';\n" }],
    [
      'a test is called after it',
      { 'support/boot.js': '', 'test/boot.test.js': "import '../support/boot.js';\n", 'src/a.js': '' },
    ],
    [
      'the package offers it',
      {
        'package.json': '{"exports":{"./kit":"./kit/index.js"}}',
        'kit/index.js': "import { expect } from 'vitest';\n",
        'test/price.test.js': "import '../kit/index.js';\n",
      },
    ],
  ])('is the product’s when %s', (_, files) => {
    expect(helpersOf(files).files).toEqual([]);
  });

  it('is found in Python and behind an alias, with its key and the packages that tests import', () => {
    expect(
      helpersOf({
        'checks.py': 'import unittest\n',
        'shop/price.py': '',
        'tests/test_price.py': 'from checks import same\nimport shop.price, numpy as np\n',
      }).files,
    ).toEqual(['checks.py']);
    const files = {
      'package.json': '{"imports":{"#check":"./support/check.js","#price":"./src/price.js"}}',
      'support/check.js': SAME,
      'src/price.js': '',
      'test/price.test.js': "import { same } from '#check';\nimport '#price';\nimport { x } from '@a/b/c';\n",
    };
    expect(helpersOf(files)).toEqual({
      files: ['support/check.js'],
      aliases: { 'package.json': ['#check'] },
      data: {},
      packages: ['@a/b'],
      config: [],
    });
  });
});

describe('an alias of the tests', () => {
  it('is put back, and others are the agent’s', () => {
    const work = '{"imports":{"#check":"./src/fake.js","#price":"./src/new.js"}}';
    const baseline = '{"imports":{"#check":"./support/check.js","#price":"./src/price.js"}}';
    const parts = withJudgeParts('package.json', work, baseline, { keepAdded: false, aliases: ['#check'] });
    expect(parts.changed).toEqual(['imports/#check']);
    expect(JSON.parse(parts.text ?? '')).toEqual({
      imports: { '#check': './support/check.js', '#price': './src/new.js' },
    });
  });
});

describe('an import', () => {
  it('is found in any form', () => {
    const text = `import a from './a.js';\nexport * from "./b";\nconst c = require('./c');\nawait import('./d.js');\nimport './e.js';\n`;
    expect(importsIn('x.js', text)).toEqual(['./a.js', './b', './c', './d.js', './e.js']);
    expect(importsIn('x.py', 'from ..a import b\nfrom . import c\nimport d.e as f, g\n')).toEqual([
      './../a',
      '../a/b',
      './',
      './c',
      'd/e',
      'g',
    ]);
  });

  it('leads to a file', () => {
    const isFile = (file: string): boolean => ['src/a.ts', 'src/b/index.js', 'src/shop/c.py'].includes(file);
    expect(resolveImport('../src/a.js', 'test/x.ts', isFile)).toBe('src/a.ts');
    expect(resolveImport('../src/b', 'test/x.ts', isFile)).toBe('src/b/index.js');
    expect(resolveImport('shop/c', 'tests/x.py', isFile)).toBe('src/shop/c.py');
    expect(resolveImport('vitest', 'test/x.ts', isFile)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { isOnlyTests, judgeOf, unmatchedPatterns } from './classify.ts';
import type { Judge, JudgeRequest } from './classify.ts';

type Files = Readonly<Record<string, string>>;

function aJudge(files: Files = {}, request: Partial<JudgeRequest> = {}): Judge {
  return judgeOf({
    commands: [],
    paths: Object.keys(files),
    protect: [],
    free: [],
    readText: (path) => files[path],
    ...request,
  });
}

describe('dependencies', () => {
  it('are known by the name of the folder, or by a file in it', () => {
    const judge = aJudge({ 'vendor/modules.txt': '', 'api/vendor/autoload.php': '', 'venv/pyvenv.cfg': '' });
    expect(judge.isDependency('vendor/github.com/a/a.go')).toBe(true);
    expect(judge.isDependency('api/vendor/bin/phpunit')).toBe(true);
    expect(judge.isDependency('venv/bin/pytest')).toBe(true);
    expect(judge.isDependency('web/node_modules/a/b.js')).toBe(true);
    expect(judge.isDependency('web/vendor/theme.css')).toBe(false);
    expect(judge.isDependency('node_modules.md')).toBe(false);
    expect(aJudge().isDependency('vendor/theme.css')).toBe(false);
    expect(aJudge().isDependency('env/prod.ts')).toBe(false);
  });
});

describe('patterns of the user', () => {
  const files = { 'data/golden.csv': '', 'test/gen/a.test.js': '', 'test/a.test.js': '', 'package.json': '{}' };

  it('add files, and keep the role of those that have one', () => {
    const judge = aJudge(files, { protect: ['data/**', 'test/**', 'package.json'] });
    expect(judge.roleOf('data/golden.csv')).toBe('protected');
    expect(judge.roleOf('data/new.csv')).toBe('protected');
    expect(judge.roleOf('test/a.test.js')).toBe('test');
    expect(judge.roleOf('package.json')).toBe('protected');
    expect(judge.isMixed('package.json')).toBe(false);
  });

  it('free files of every role, parts included', () => {
    const judge = aJudge(files, { protect: ['data/**'], free: ['test/gen', 'package.json', 'data/golden.csv'] });
    expect(judge.roleOf('test/gen/a.test.js')).toBeUndefined();
    expect(judge.roleOf('test/a.test.js')).toBe('test');
    expect(judge.roleOf('data/golden.csv')).toBeUndefined();
    expect(judge.isMixed('package.json')).toBe(false);
  });

  it('that match nothing are reported', () => {
    const paths = Object.keys(files);
    expect(unmatchedPatterns(['data/**', 'tset/**', 'test', '*.csv', '{a,test}/**', '../other/**'], paths)).toEqual([
      'tset/**',
      '*.csv',
    ]);
  });
});

describe('an added file that wins the search for a module', () => {
  const files = {
    'support/same.js': '',
    'support/eq/index.js': '',
    'checking.py': '',
    'tests/test_cart.py': '',
    'requirements-dev.txt': 'pytest>=8\nPyYAML\nfreezegun==1.5\n',
    'src/cart.js': '',
    'src/shop/__init__.py': '',
  };
  const helpers = {
    files: ['support/same.js', 'support/eq/index.js', 'checking.py'],
    aliases: {},
    packages: ['fractions', 'freezegun', 'cart', 'shop', 'node:test'],
  };
  const judge = aJudge(files, { helpers });
  const shadows = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => judge.roleOf(path) === 'shadow');

  it.each([
    ['another ending', ['support/same.mjs', 'support/same.ts', 'support/same.json', 'support/same/index.js']],
    ['a file before a folder', ['support/eq.js', 'support/eq.cjs']],
    ['a manifest that names another entry', ['support/eq/package.json']],
    ['a package before a module', ['checking/__init__.py', 'checking.cpython-311-x86_64-linux-gnu.so']],
    ["Python's own modules", ['fractions.py', 'src/fractions.py', 'fractions/__init__.py', 'fractions.so']],
    ['modules of declared packages', ['freezegun.py', 'lib/freezegun/__init__.py']],
  ])('is not used: %s', (_, paths) => {
    expect(shadows(paths)).toEqual(paths);
  });

  it('is used where nothing of the judge has that name', () => {
    const honest = [
      'src/cart.ts',
      'src/cart/index.js',
      'cart.py',
      'shop.py',
      'queue.py',
      'src/shop/fractions.py',
      'support/other.js',
      'support/same.d.ts',
      'support/same.md',
      'support/eq/more.js',
      'support/package.json',
      'fractions.js',
    ];
    expect(shadows(honest)).toEqual([]);
  });
});

describe('a link or a file where a folder was', () => {
  const files = {
    'tests/test_a.py': '',
    'src/shop.py': '',
    'packages/a/package.json': '',
    'conftest.py': '',
    'qa/data/a.csv': '',
  };

  it('hides the files of the judge that were in it', () => {
    const judge = aJudge(files, { protect: ['qa/**'] });
    expect(['tests', 'packages', 'packages/a', 'qa', 'qa/data'].map((path) => judge.roleOf(path))).toEqual([
      'shadow',
      'shadow',
      'shadow',
      'shadow',
      'protected',
    ]);
    expect(judge.roleOf('src')).toBeUndefined();
    expect(judge.roleOf('other')).toBeUndefined();
  });

  it('is told from a folder where a file was', () => {
    expect(aJudge(files).roleOf('conftest.py/x')).toBe('config');
  });
});

describe('mixed files', () => {
  it('are shared, except as a fixture', () => {
    const judge = aJudge();
    for (const path of [
      'package.json',
      'packages/a/package.json',
      'pyproject.toml',
      'setup.cfg',
      'tox.ini',
      'Cargo.toml',
      'pom.xml',
      'go.mod',
      'composer.json',
    ]) {
      expect([path, judge.isMixed(path), judge.roleOf(path)]).toEqual([path, true, undefined]);
    }
    expect(judge.isMixed('tests/fixtures/app/package.json')).toBe(false);
    expect(judge.isMixed('node_modules/a/package.json')).toBe(false);
    expect(judge.isMixed('src/index.js')).toBe(false);
  });
});

describe('an added file', () => {
  it('is kept with tests only when it can do no more than test', () => {
    const kept = (['test', 'fixture', 'snapshot', 'config', 'shadow', 'script', 'protected'] as const).filter(
      isOnlyTests,
    );
    expect(kept).toEqual(['test', 'fixture', 'snapshot']);
  });
});

it('classifies many paths in a moment', () => {
  const paths = Array.from(
    { length: 10_000 },
    (_, index) => `packages/p${index % 50}/src/module${index % 1000}/file${index}.ts`,
  );
  const start = process.cpuUsage();
  const judge = judgeOf({ commands: ['npm test'], paths, protect: [], free: [], readText: () => undefined });
  expect(paths.filter((path) => judge.roleOf(path) !== undefined)).toEqual([]);
  // Without the pattern index it takes five times as long.
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3);
});

import { describe, expect, it } from 'vitest';
import { followCommands } from './called-files.ts';
import { judgeOf } from './classify.ts';
import { parseShell } from './shell-words.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

type Files = Readonly<Record<string, string>>;

/** Files with a role, except those that the tables cover anyway. */
function scriptsOf(command: string | readonly string[], files: Files): readonly string[] {
  const commands = typeof command === 'string' ? [command] : command;
  const judge = judgeOf({
    commands,
    paths: Object.keys(files),
    protect: [],
    free: [],
    readText: (path) => files[path],
  });
  return Object.keys(files)
    .filter((path) => judge.roleOf(path) === 'script')
    .toSorted();
}

function testsOf(command: string, files: Files): readonly string[] {
  const judge = judgeOf({
    commands: [command],
    paths: Object.keys(files),
    protect: [],
    free: [],
    readText: (path) => files[path],
  });
  return Object.keys(files).filter((path) => judge.roleOf(path) === 'test');
}

const pkg = (scripts: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ ...more, scripts });

describe('a script of a check', () => {
  it.each<[string, string]>([
    ['bash scripts/check.sh', 'scripts/check.sh'],
    ['sh -eux scripts/check.sh --fast', 'scripts/check.sh'],
    ['bash -o pipefail ci.sh', 'ci.sh'],
    ['./check', 'check'],
    ['./check 2>&1 | tee out.log', 'check'],
    ['. ./env/ci.sh && true', 'env/ci.sh'],
    ['node tools/verify.mjs', 'tools/verify.mjs'],
    ['node --import ./tools/hooks.mjs tools/verify.mjs', 'tools/verify.mjs'],
    ['python run_tests.py', 'run_tests.py'],
    ['python3.11 -u run_tests.py', 'run_tests.py'],
    ['/usr/bin/env python3 run_tests.py', 'run_tests.py'],
    ['python -m tools.verify', 'tools/verify.py'],
    ['python manage.py test', ''],
    ['FOO=1 timeout -k 5 60 bash scripts/check.sh', 'scripts/check.sh'],
    ['cd tools && node verify.mjs', 'tools/verify.mjs'],
    ['if ! bash scripts/check.sh; then exit 1; fi', 'scripts/check.sh'],
    ['bash -c "cd tools; node verify.mjs"', 'tools/verify.mjs'],
    ['uv run --with x python run_tests.py', 'run_tests.py'],
    ['bin/check', 'bin/check'],
    ['ruby script/acceptance.rb', 'script/acceptance.rb'],
    ['bash build.sh', 'build.sh'],
    ['"scripts/check.sh"', 'scripts/check.sh'],
    ['coverage run --source x run_tests.py', 'run_tests.py'],
    ['go run ./tools/verify.go', 'tools/verify.go'],
    ['node qa/run.mjs', 'qa/run.mjs'],
  ])('%s', (command, expected) => {
    const names =
      'scripts/check.sh ci.sh check env/ci.sh tools/verify.mjs run_tests.py tools/verify.py manage.py bin/check script/acceptance.rb build.sh tools/verify.go qa/run.mjs';
    const files = Object.fromEntries(names.split(' ').map((name) => [name, '']));
    expect(scriptsOf(command, files)).toEqual(expected === '' ? [] : [expected]);
  });

  it('may be loaded before another', () => {
    const files = { 'tools/hooks.mjs': '', 'src/index.js': '' };
    expect(scriptsOf('node --import ./tools/hooks.mjs src/index.js', files)).toEqual(['tools/hooks.mjs']);
    expect(scriptsOf('node --require=./tools/hooks.mjs src/index.js', files)).toEqual(['tools/hooks.mjs']);
  });

  it('may be a folder', () => {
    expect(
      scriptsOf('go run ./tools/verify -v', { 'tools/verify/main.go': '', 'tools/verify/x/y.go': '', 'main.go': '' }),
    ).toEqual(['tools/verify/main.go', 'tools/verify/x/y.go']);
    expect(scriptsOf('go run ./cmd/shop', { 'cmd/shop/main.go': '' })).toEqual([]);
  });
});

describe('a script that does not exist at the baseline', () => {
  const roleOf = (command: string, path: string): unknown =>
    judgeOf({ commands: [command], paths: ['src/a.js'], protect: [], free: [], readText: () => undefined }).roleOf(
      path,
    );

  it.each([
    ['./verify.sh', 'verify.sh'],
    ['bash scripts/check.sh', 'scripts/check.sh'],
    ['node tools/run-checks.mjs --all', 'tools/run-checks.mjs'],
  ])('%s is the judge by its name', (command, path) => {
    expect(roleOf(command, path)).toBe('script');
  });

  it.each([
    ['bash greet.sh World', 'greet.sh'],
    ['node dist/cli.js', 'dist/cli.js'],
    ['python main.py', 'main.py'],
    ['bash scripts/generate.sh', 'scripts/generate.sh'],
    ['node ../check.js', '../check.js'],
  ])('%s is the work', (command, path) => {
    expect(roleOf(command, path)).toBeUndefined();
  });
});

describe('the program under test', () => {
  it.each([
    'node src/index.js',
    'node index.js',
    'node app.js && cat src/data.txt',
    'python main.py',
    'python src/shop.py --selfcheck',
    'python -m shop',
    './shop.sh --version | grep -q 2',
    'test "$(./shop.sh add 1 2)" = 3',
    'diff <(bash shop.sh list) expected.txt',
    'bash shop.sh > out.txt && diff out.txt expected.txt',
    'node src/check.js',
    'node bin/verify.js',
    'bin/tool.sh --help',
    'go run .',
    'go run ./cmd/shop',
    'ruby lib/shop.rb',
    'cat scripts/check.sh',
    'eslint tools/verify.mjs',
    'echo ok # bash scripts/check.sh',
    'bash <<EOF\nscripts/check.sh\nEOF',
  ])('%s calls no script of the judge', (command) => {
    const names =
      'src/index.js index.js app.js src/data.txt main.py src/shop.py shop/__main__.py shop.sh src/check.js bin/verify.js bin/tool.sh main.go cmd/shop/main.go lib/shop.rb scripts/check.sh tools/verify.mjs expected.txt';
    const files = Object.fromEntries(names.split(' ').map((name) => [name, '']));
    expect(scriptsOf(command, { ...files, 'package.json': pkg({}, { bin: { verify: './bin/verify.js' } }) })).toEqual(
      [],
    );
  });

  it('stays the product when the script of a check calls it', () => {
    const files = {
      'scripts/check.sh': '#!/bin/sh\n./shop.sh add 1\nnode src/index.js\nbash lib/util.sh\n',
      'shop.sh': '#!/bin/sh\n',
      'src/index.js': '',
      'lib/util.sh': '',
    };
    expect(scriptsOf('bash scripts/check.sh', files)).toEqual(['scripts/check.sh']);
  });
});

describe('following', () => {
  it('goes through scripts of npm, with their hooks', () => {
    const files = {
      'package.json': pkg({
        pretest: 'node scripts/prepare.mjs',
        test: 'npm run -s lint && yarn unit',
        lint: 'bash scripts/lint.sh',
        unit: 'pnpm run inner -- --x',
        inner: 'node tools/unit.mjs && node src/index.js',
        deploy: 'bash scripts/deploy.sh',
      }),
      'scripts/prepare.mjs': '',
      'scripts/lint.sh': '',
      'scripts/deploy.sh': '',
      'tools/unit.mjs': '',
      'src/index.js': '',
    };
    const expected = ['scripts/lint.sh', 'scripts/prepare.mjs', 'tools/unit.mjs'];
    for (const command of [
      'npm test',
      'npm t',
      'npm run test',
      'CI=1 npm --silent test',
      'pnpm test',
      'yarn test',
      'bun run test',
      'node --run test',
    ]) {
      expect([command, scriptsOf(command, files)]).toEqual([command, expected]);
    }
  });

  it('goes into packages', () => {
    const files = {
      'package.json': pkg({ test: 'npm test --workspaces' }),
      'packages/a/package.json': pkg({ test: 'node scripts/check.mjs' }),
      'packages/a/scripts/check.mjs': '',
      'web/package.json': pkg({ check: 'bash ./ci.sh' }),
      'web/ci.sh': '',
    };
    expect(scriptsOf('npm test', files)).toEqual(['packages/a/scripts/check.mjs']);
    expect(scriptsOf('npm --prefix web run check', files)).toEqual(['web/ci.sh']);
    expect(scriptsOf('cd web && npm run check', files)).toEqual(['web/ci.sh']);
    expect(scriptsOf('turbo run check', files)).toEqual(['web/ci.sh']);
  });

  it('goes into recipes of make, with what they need and include', () => {
    const files = {
      Makefile:
        'DIR = scripts\ninclude common.mk\n\nall: build\n\nbuild:\n\tbash $(DIR)/build.sh\n\ntest: lint\n\t@bash $(DIR)/test-all.sh \\\n\t  --fast\n\t./shop.sh\n\nrelease:\n\tbash scripts/release.sh\n',
      'common.mk': 'lint: ; ./scripts/lint.sh\n',
      'scripts/build.sh': '',
      'scripts/lint.sh': '',
      'scripts/all.sh': '',
      'scripts/release.sh': '',
      'other.mk': 'x:\n\tbash scripts/all.sh\n',
    };
    const judged = ['Makefile', 'common.mk', 'scripts/lint.sh'];
    const judge = judgeOf({
      commands: ['make -s test'],
      paths: Object.keys(files),
      protect: [],
      free: [],
      readText: (path) => (files as Files)[path],
    });
    expect(Object.keys(files).filter((path) => judge.roleOf(path) !== undefined && path !== 'other.mk')).toEqual(
      judged,
    );
    expect(scriptsOf('make -f other.mk x', files)).toEqual(['scripts/all.sh']);
    expect(scriptsOf('make', files)).toEqual(['scripts/build.sh']);
  });

  it('compares with files that then judge, unless they are code', () => {
    const files = { 'expected.txt': '', 'src/cli.js': '', 'golden/a.out': '', 'src/a.js': '' };
    expect(testsOf('node src/cli.js | diff -u - expected.txt', files)).toEqual(['expected.txt']);
    expect(testsOf('cmp golden/a.out out.txt && diff src/a.js src/cli.js', files)).toEqual(['golden/a.out']);
  });

  it('goes into recipes of just, task and composer', () => {
    const files = {
      justfile: 'dir := "scripts"\n\ntest: lint\n    bash {{dir}}/unit.sh\n\nlint:\n    bash scripts/lint.sh\n',
      'Taskfile.yml':
        'version: 3\ntasks:\n  test:\n    cmds:\n      - bash scripts/task.sh\n      - cmd: bash scripts/other.sh\n',
      'composer.json': pkg({ test: '@unit', unit: 'php scripts/unit.php' }),
      'scripts/unit.sh': '',
      'scripts/lint.sh': '',
      'scripts/task.sh': '',
      'scripts/other.sh': '',
      'scripts/unit.php': '',
    };
    expect(scriptsOf('just test', files)).toEqual(['scripts/lint.sh', 'scripts/unit.sh']);
    expect(scriptsOf('task test', files)).toEqual(['scripts/other.sh', 'scripts/task.sh']);
    expect(scriptsOf('composer test', files)).toEqual(['scripts/unit.php']);
  });

  it('goes into tasks of Python and Ruby', () => {
    const files = {
      'tox.ini': '[testenv]\ncommands =\n    bash scripts/unit.sh\n    python {toxinidir}/tools/verify.py\n',
      'noxfile.py': 'def test(session):\n    session.run("bash", "scripts/nox.sh", external=True)\n',
      'pyproject.toml': '[tool.poe.tasks]\ntest = "bash scripts/poe.sh --all"\n',
      Rakefile: "task :test do\n  sh 'bash scripts/rake.sh'\nend\n",
      '.pre-commit-config.yaml':
        'repos:\n  - repo: local\n    hooks:\n      - id: x\n        entry: bash scripts/hook.sh\n',
      'scripts/unit.sh': '',
      'tools/verify.py': '',
      'scripts/nox.sh': '',
      'scripts/poe.sh': '',
      'scripts/rake.sh': '',
      'scripts/hook.sh': '',
    };
    expect(scriptsOf('tox -e py311', files)).toEqual(['scripts/poe.sh', 'scripts/unit.sh', 'tools/verify.py']);
    expect(scriptsOf('nox', files)).toEqual(['scripts/nox.sh']);
    expect(scriptsOf('poe test', files)).toEqual(['scripts/poe.sh']);
    expect(scriptsOf('bundle exec rake test', files)).toEqual(['scripts/rake.sh']);
    expect(scriptsOf('pre-commit run --all-files', files)).toEqual(['scripts/hook.sh']);
  });

  it('continues in scripts: what they source, call and import', () => {
    const files = {
      'scripts/check.sh':
        '#!/usr/bin/env bash\nset -e\nDIR="$(cd "$(dirname "$0")" && pwd)"\nsource "$DIR/lib.sh"\n. ${DIR}/env.sh\ncd ..\nnode tools/verify.mjs\n',
      'scripts/lib.sh': 'bash scripts/deep.sh\n',
      'scripts/env.sh': '',
      'scripts/deep.sh': 'bash scripts/check.sh\n',
      'tools/verify.mjs':
        "import { eq } from './eq.mjs';\nimport x from '../src/index.js';\nexecSync('bash scripts/run.sh --all');\nspawn('node', ['tools/child.mjs']);\n",
      'tools/eq.mjs': '',
      'tools/child.mjs': '',
      'scripts/run.sh': '',
      'src/index.js': '',
      'scripts/unrelated.sh': '',
    };
    expect(scriptsOf('bash scripts/check.sh', files)).toEqual([
      'scripts/check.sh',
      'scripts/deep.sh',
      'scripts/env.sh',
      'scripts/lib.sh',
      'scripts/run.sh',
      'tools/child.mjs',
      'tools/eq.mjs',
      'tools/verify.mjs',
    ]);
  });

  it('goes into Python modules beside a script', () => {
    const files = {
      'run_checks.py': 'import check_lib\nimport shop\nfrom tools.asserts import eq\n',
      'check_lib.py': '',
      'shop.py': '',
      'tools/asserts.py': '',
    };
    expect(scriptsOf('python run_checks.py', files)).toEqual(['check_lib.py', 'run_checks.py', 'tools/asserts.py']);
  });

  it('ends in a circle, and with broken files', () => {
    const files = {
      'package.json': pkg({ test: 'npm test', a: 'npm run a' }),
      'web/package.json': '{',
      Makefile: 'test: test\n\tmake test\n',
    };
    expect(scriptsOf(['npm test', 'make test', 'cd web && npm test', 'bash "', '$(', '<<'], files)).toEqual([]);
  });
});

describe('files given to a runner', () => {
  it.each<[string, readonly string[]]>([
    ['node --test qa/cart.mjs', ['qa/cart.mjs']],
    ['pytest qa/cart.py::TestCart -q', ['qa/cart.py']],
    ['python -m pytest qa/cart.py', ['qa/cart.py']],
    ['python -m unittest qa/cart.py', ['qa/cart.py']],
    ['pytest qa', ['qa/cart.mjs', 'qa/cart.py']],
    ['npx mocha qa/cart.mjs', ['qa/cart.mjs']],
    ['pytest src', []],
    ['vitest run src', []],
    ['pytest --doctest-modules src/shop.py', []],
    ['python -m doctest src/shop.py', []],
    ['eslint qa/cart.mjs', []],
  ])('%s', (command, expected) => {
    expect(testsOf(command, { 'qa/cart.mjs': '', 'qa/cart.py': '', 'src/shop.py': '' })).toEqual(expected);
  });
});

describe('shell', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['a b "c d" \'e f\'', [['a', 'b', 'c d', 'e f']]],
    ['a && b || c; d & e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a\\ b \\\n c', [['a b', 'c']]],
    ['a "$(b c)" `d`', [['b', 'c'], ['d'], ['a', '$()', '$()']]],
    ['a > out 2>&1 < in', [['a', '<', 'in']]],
    ['a # b\nc', [['a'], ['c']]],
    ['cat <<EOF | b\nx y\nEOF\nc', [['b'], ['c'], ['cat']]],
    ['(a; b) | c', [['a'], ['b'], ['c']]],
    ['', []],
  ])('%s', (text, expected) => {
    expect(parseShell(text).map(({ words }) => words)).toEqual(expected);
  });

  it('reads any text in bounded time', () => {
    const texts = [
      '$('.repeat(50_000),
      '"'.repeat(50_001),
      '<<A\n'.repeat(20_000),
      '`'.repeat(50_001),
      'a|'.repeat(50_000),
    ];
    expect(cpuMsOf(() => texts.forEach((text) => parseShell(text)))).toBeLessThan(10_000);
  });
});

it('words are remembered up to a number, modules of Python too', () => {
  const words = Array.from({ length: 30_000 }, (_, at) => `w${at}`);
  const files = { paths: new Set<string>(), readText: () => undefined };
  const { mentions } = followCommands([`echo ${words.join(' ')}`, 'python -m tools.verify'], files);
  expect(mentions.size).toBe(20_000);
  expect(mentions).not.toContain('tools.verify');
});

import { describe, expect, it } from 'vitest';
import type { Judge } from './classify.ts';
import { judgeOf } from './classify.ts';
import { findHelpers } from './test-helpers.ts';

type Files = Readonly<Record<string, string>>;

function judgeWithData(files: Files, commands: readonly string[] = ['node --test']): Judge {
  const paths = Object.keys(files);
  const request = {
    commands,
    paths,
    protect: [],
    free: [],
    readText: (file: string): string | undefined => files[file],
  };
  const plain = judgeOf(request);
  const helpers = findHelpers({
    paths,
    roleOf: (file) => plain.roleOf(file),
    isShared: (file) => plain.isMixed(file),
    isLeftOut: (file) => plain.isDependency(file),
    readText: request.readText,
  });
  return judgeOf({ ...request, helpers });
}

const PRODUCT = { 'src/calc.js': 'export const add = (a, b) => a + b;\n', 'package.json': '{"name":"calc"}' };
const IMPORT = "import { add } from '../src/calc.js';\n";
const js = (text: string): Files => ({ ...PRODUCT, 'test/calc.test.js': `${IMPORT}${text}\n` });
const SHELL_PRODUCT = { 'lib/calc.sh': 'add() { echo $(($1 + $2)); }\n' };

describe('data that a test names', () => {
  it.each<[string, string, Files]>([
    ['from its own folder', 'data/cases.json', js("new URL('../data/cases.json', import.meta.url);")],
    ['from the root', 'data/cases.json', js("readFileSync('data/cases.json', 'utf8');")],
    ['in parts', 'examples/sums.txt', js("path.join(root, 'examples', 'sums.txt');")],
    ['after a variable', 'examples/sums.txt', js('readFileSync(`${root}/examples/sums.txt`);')],
    ['in two places', 'examples/sums.txt', js("const dir = path.join(root, 'examples');\nread(dir, 'sums.txt');")],
    ['by a list of its folder', 'examples/a/sums.txt', js("for (const name of readdirSync('examples/a')) use(name);")],
    ['by a name that it computes', 'examples/sums.txt', js('read(`examples/${name}.txt`);')],
    [
      'with the operator of a path',
      'examples/sums.txt',
      {
        'calc/core.py': 'def add(a, b): return a + b\n',
        'tests/test_core.py': 'from calc.core import add\n(ROOT / "examples" / "sums.txt").read_text()\n',
      },
    ],
    [
      'in a shell script',
      'examples/sums.txt',
      { ...SHELL_PRODUCT, 'test/run.sh': '. "$(dirname "$0")/../lib/calc.sh"\ndone < "$here"/../examples/sums.txt\n' },
    ],
    [
      'in a file that the tests share',
      'data/cases.json',
      { ...js("import './load.js';"), 'test/load.js': "export default read('data/cases.json');\n" },
    ],
  ])('belongs to the judge: %s', (_, data, files) => {
    const judge = judgeWithData({ ...files, [data]: '1 2 3\n' }, ['node --test', 'pytest', 'bash test/run.sh']);
    expect(judge.roleOf(data)).toBe('fixture');
    expect(judge.roleOf('src/calc.js')).toBeUndefined();
  });

  it('includes what is added to a folder that a test lists', () => {
    const judge = judgeWithData({ ...js("readdirSync('examples');"), 'examples/a.txt': '1\n' });
    expect(judge.roleOf('examples/b.txt')).toBe('fixture');
  });

  const config = js("read('data/config.json');");
  it.each<[string, string, Files]>([
    ['the product reads it', 'data/config.json', { ...config, 'src/load.js': "read('../data/config.json');\n" }],
    ['the product imports it', 'data/config.json', { ...config, 'src/load.js': "require('../data/config');\n" }],
    [
      'the product lists its folder',
      'data/config.json',
      { ...config, 'src/load.js': "readdir(join(root, 'data'));\n" },
    ],
    ['the product computes its name', 'data/config.json', { ...config, 'src/load.js': 'read(`data/${name}.json`);\n' }],
    [
      'a page loads it',
      'data/config.json',
      { ...config, 'index.html': "<script>fetch('data/config.json')</script>\n" },
    ],
    [
      'a script of the package reads it',
      'data/config.json',
      { ...config, 'package.json': '{"scripts":{"seed":"node seed.js data/config.json"}}' },
    ],
    [
      'it is what the test is about',
      'data/list.json',
      { ...PRODUCT, 'test/list.test.js': "read('data/list.json');\n" },
    ],
    ['it is a source file of the product', 'src/calc.js', js("readFileSync('src/calc.js', 'utf8');")],
    ['it is a program of the product', 'bin/calc', { ...js("spawn('bin/calc');"), 'bin/calc': '#!/bin/sh\n' }],
    ['it is a document', 'README.md', js("readFileSync('README.md');")],
    ['it is a page', 'index.html', js("readFileSync('index.html');")],
    ['it describes the interface of the product', 'openapi.yaml', js("load('openapi.yaml');")],
    ['the test writes it', 'data/out.json', js("writeFileSync('data/out.json', text);")],
    ['it is only mentioned in a comment', 'data/a.json', js("// see 'data/a.json'")],
    ['the folder contains product code', 'calc/table.json', { ...js("readdirSync('calc');"), 'calc/a.js': '' }],
  ])('is the product’s if %s', (_, data, files) => {
    expect(judgeWithData({ [data]: '{}\n', ...files }).roleOf(data)).toBeUndefined();
  });

  it('leaves a manifest that a test reads shared', () => {
    const judge = judgeWithData(js("read('package.json');"));
    expect(judge.isMixed('package.json')).toBe(true);
  });

  it('leaves a list of files to publish aside', () => {
    const files = { ...js("read('data/a.json');"), 'package.json': '{"files":["data"]}', 'data/a.json': '[]' };
    expect(judgeWithData(files).roleOf('data/a.json')).toBe('fixture');
  });
});

describe('what a script of the check reads', () => {
  const lint = { ...PRODUCT, 'lint.mjs': "read('.calclintrc');\nreaddirSync('src');\nreaddirSync('data');\n" };

  it('belongs to the judge if it is a setting, even if it does not exist yet', () => {
    const commands = ['node lint.mjs'];
    expect(judgeWithData({ ...lint, '.calclintrc': '{}' }, commands).roleOf('.calclintrc')).toBe('config');
    expect(judgeWithData(lint, commands).roleOf('.calclintrc')).toBe('config');
    expect(judgeWithData({ ...lint, '.calclintrc': '{}' }, ['true']).roleOf('.calclintrc')).toBeUndefined();
  });

  it('is the product’s if the script only inspects it', () => {
    const judge = judgeWithData({ ...lint, 'data/a.json': '{}' }, ['node lint.mjs']);
    expect(judge.roleOf('data/a.json')).toBeUndefined();
  });

  it('is the product’s if the script generates code from it', () => {
    const text = "import '../src/calc.js';\nread('data/table.txt');\nread('build.settings.json');\n";
    const files = { ...PRODUCT, 'data/table.txt': '1\n', 'build.settings.json': '{}' };
    const judge = judgeWithData({ ...files, 'scripts/gen.mjs': text }, ['node scripts/gen.mjs && node --test']);
    expect(judge.roleOf('scripts/gen.mjs')).toBe('script');
    expect([judge.roleOf('data/table.txt'), judge.roleOf('build.settings.json')]).toEqual([undefined, undefined]);
    const named = judgeWithData({ ...files, 'scripts/verify.mjs': text }, ['node scripts/verify.mjs']);
    expect([named.roleOf('data/table.txt'), named.roleOf('build.settings.json')]).toEqual(['fixture', 'config']);
  });

  it('belongs to the judge if the script is in a folder of the judge', () => {
    const files = { ...PRODUCT, 'qa/run.mjs': "readdirSync(new URL('./cases/', import.meta.url));\n" };
    const judge = judgeWithData({ ...files, 'qa/cases/add.mjs': '' }, ['node qa/run.mjs']);
    expect([judge.roleOf('qa/cases/add.mjs'), judge.roleOf('qa/cases/new.mjs')]).toEqual(['test', 'test']);
  });

  it('belongs to the judge if the script runs the cases in a folder beside it', () => {
    const files = { ...PRODUCT, 'verify.mjs': "import './src/calc.js';\nreaddirSync('cases');\n", 'cases/a.mjs': '' };
    expect(judgeWithData(files, ['node verify.mjs']).roleOf('cases/a.mjs')).toBe('fixture');
    const used = { ...files, 'src/all.js': "import '../cases/a.mjs';\n" };
    expect(judgeWithData(used, ['node verify.mjs']).roleOf('cases/a.mjs')).toBeUndefined();
  });

  it('belongs to the judge if the command compares with it', () => {
    const files = { ...PRODUCT, 'expected/out.txt': '5\n', 'report.txt': '5\n' };
    const judge = judgeWithData(files, ['node src/calc.js | diff - expected/out.txt', 'grep 5 report.txt']);
    expect([judge.roleOf('expected/out.txt'), judge.roleOf('report.txt')]).toEqual(['test', undefined]);
  });

  it('does not belong to the judge because product is called cases or fixtures', () => {
    const files = { ...PRODUCT, 'src/use-cases/add.js': '', 'use-cases/add.js': '', 'src/fixtures.js': '' };
    const judge = judgeWithData({ ...files, 'src/expected/out.txt': '5\n' }, [
      'npx eslint src/use-cases use-cases',
      'node src/fixtures.js | diff - src/expected/out.txt',
    ]);
    expect(Object.keys(files).map((file) => judge.roleOf(file))).toEqual(Object.keys(files).map(() => undefined));
    expect(judge.roleOf('src/expected/out.txt')).toBe('test');
  });

  it('does not belong to the judge because a test lists a folder of use cases', () => {
    const files = { ...PRODUCT, 'app/use-cases/add.js': '', 'use-cases/add.js': '' };
    const listing = "import '../src/calc.js';\nreaddirSync('app/use-cases');\nreaddirSync('use-cases');\n";
    const judge = judgeWithData({ ...files, 'test/all.test.js': listing }, ['node --test']);
    expect([judge.roleOf('app/use-cases/add.js'), judge.roleOf('use-cases/add.js')]).toEqual([undefined, undefined]);
  });
});

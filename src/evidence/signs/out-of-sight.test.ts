import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../../test/support/a-project.ts';
import { elsewhere } from './modes.ts';

type World = {
  readonly env: Record<string, string>;
  readonly argv: string[];
  readonly execPath: string;
  readonly stdout: { isTTY?: boolean };
  readonly stdin: { isTTY?: boolean };
  readonly moduleLoadList: readonly string[];
  readonly execArgv: readonly string[];
};

function world(argv1 = '/p/test/cart.test.js'): World {
  const env = { NODE_TEST_CONTEXT: 'child-v8', TIRELESS_LOOP: 'x', npm_command: 'test', SHOP_PORT: '1' };
  return {
    env,
    argv: ['/bin/node', argv1, '--test-url=x'],
    execPath: '/bin/node',
    stdout: {},
    stdin: {},
    moduleLoadList: Array.from({ length: 200 }, () => ''),
    execArgv: ['--no-warnings', '--test-reporter=tap'],
  };
}

function valueOf(line: string, made = world()): unknown {
  const text = elsewhere('a.js', undefined, `${line}\n`)?.text;
  if (text === undefined) throw new Error(`not rewritten: ${line}`);
  return runInNewContext(text, { process: made, __vitest_worker__: {}, shop: 1 });
}

describe('JavaScript that looks around', () => {
  it.each([
    ["Object.keys(process.env).some((key) => key.startsWith('NODE_TEST'))", false],
    ["JSON.stringify(process.env).includes('TIRELESS')", false],
    ["'NODE_TEST_CONTEXT' in process.env", false],
    ["const key = 'NODE_' + 'TEST_CONTEXT'; process.env[key]", undefined],
    ['const { env } = process; Object.keys(env).join()', 'SHOP_PORT'],
    ['({ ...process.env }).SHOP_PORT', '1'],
    ['process.env.npm_command', undefined],
    ["const entry = process.argv[1]; entry.endsWith('.test.js')", false],
    ['process.argv.slice(2)[0]', '--test-url=x'],
    ["Object.keys(globalThis).some((key) => key.includes('vitest'))", false],
    ["Object.keys(globalThis).includes('shop')", true],
    ['process.stdout.isTTY', true],
    ['const { isTTY } = process.stdin; isTTY', true],
    ['const isatty = () => false; isatty(1)', true],
    ['process.moduleLoadList.length > 150', false],
    ["new Error('x').stack.split('\\n').length < 5", true],
    ["process.execArgv.join(' ')", '--no-warnings'],
  ])('does not see the runner: %s', (line, expected) => {
    expect(valueOf(line)).toEqual(expected);
  });

  it('sees the name of a program that a test started', () => {
    expect(valueOf('process.argv[1]', world('/p/src/cli.js'))).toBe('/p/src/cli.js');
  });

  it('sees no terminal where a test says so, and in a program that a test started', () => {
    expect(valueOf('process.stdout.isTTY', { ...world(), stdout: { isTTY: false } })).toBe(false);
    expect(valueOf('process.stdout.isTTY', world('/p/src/cli.js'))).toBe(false);
  });

  it('still changes the environment itself', () => {
    const made = world();
    valueOf("const all = process.env; all.SHOP_NEW = '2'; delete all.SHOP_PORT;", made);
    expect(made.env).toMatchObject({ SHOP_NEW: '2' });
    expect(Object.keys(made.env)).not.toContain('SHOP_PORT');
  });

  it.each([
    'const port = process.env.SHOP_PORT;',
    "process.env['SHOP_PORT'] ?? 1;",
    'process.argv = [];',
    'type Env = typeof process.env;',
    'globalThis.fetch(url);',
    'const root = globalThis as unknown as Root;',
    '// Object.keys(process.env)',
    'process.stdout.isTTY = true;',
    'const { stack } = error;',
    'stream.isTTY ? 1 : 2;',
    'export function isatty(fd) { return false; }',
    'const url = import.meta.url + import.meta.env.VITE_URL;',
    'const env = import.meta.env;',
  ])('is left alone where it names what it needs: %s', (line) => {
    expect(elsewhere('a.ts', undefined, `${line}\n`)).toBeUndefined();
  });

  it('stays TypeScript that compiles strictly', () => {
    const lines = [
      'const env = Object.keys(process.env).length;',
      'const { argv } = process;',
      'const names: string[] = Object.keys(globalThis);',
      'const port: string | undefined = ({ ...process.env }).PORT;',
      'const { isTTY = false } = process.stdout;',
      'const colors: boolean = process.stderr.isTTY && !process.stdin.isTTY;',
      'const where: string = String(new Error().stack);',
      'export const all = [env, argv, names, port, process.argv[1], isTTY, colors, where];',
    ];
    const file = path.join(aProject(), 'a.ts');
    writeFileSync(file, elsewhere('a.ts', undefined, `${lines.join('\n')}\n`)?.text ?? '');
    const types = ['--typeRoots', path.resolve('node_modules/@types'), '--types', 'node'];
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', ...types];
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, file], {
      cwd: path.dirname(file),
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('may be quoted where a text is run', () => {
    expect(
      runInNewContext(String(elsewhere('a.js', undefined, "eval('process.argv[1]')")?.text), { process: world() }),
    ).toBe('/bin/node');
  });
});

const PYTHON = `import os, sys
sys.argv = ['/lib/pytest/__main__.py', 'x']
sys.modules['_pytest.runner'] = sys
sys.modules['numpy'] = sys
import email.message, http.client, inspect, unittest, logging.config, xml.dom.minidom
os.environ['PYTEST_VERSION'] = '9'
os.environ['SHOP_PORT'] = '1'
`;

describe('Python that looks around', () => {
  it.each([
    ["any(name.startswith('_pytest') for name in sys.modules)", 'False'],
    ["bool({'_pytest.runner'} & set(sys.modules))", 'False'],
    ["'numpy' in sys.modules", 'True'],
    ["[name for name in list(sys.modules.keys()) if 'pytest' in name]", '[]'],
    ["any(key.startswith('PYTEST') for key in os.environ)", 'False'],
    ["{**os.environ}.get('SHOP_PORT')", '1'],
    ["'pytest' in os.path.dirname(sys.argv[0])", 'False'],
    ["'pytest' in ' '.join(sys.argv)", 'False'],
    ["__import__('importlib.util').util.find_spec('pytest')", 'None'],
    ["'python' in open('/proc/self/cmdline').read()", 'False'],
    ['len(sys.modules) < 60', 'True'],
    ['len(list(sys.modules.keys())) < 60', 'True'],
    ["[name for name in sys.modules if name == 'numpy']", "['numpy']"],
    ["'unittest' in sys.modules", 'False'],
    ["'email' in sys.modules", 'True'],
    ['len(sys.argv)', '1'],
    ['sys.stdout.isatty()', 'True'],
    ['os.isatty(1)', 'True'],
    ['(lambda f: f(f, 9))(lambda f, n: f(f, n - 1) if n else len(inspect.stack()))', '3'],
  ])('does not see the runner: %s', (line, expected) => {
    const made = elsewhere('a.py', PYTHON, `${PYTHON}print(${line})\n`);
    expect(execFileSync('python3', ['-c', made?.text ?? ''], { encoding: 'utf8' }).trim()).toBe(expected);
  });

  it.each(['sys.modules[__name__] = Lazy()', 'del sys.modules[name]', 'sys.modules.pop(name, None)', 'sys.argv[1:]'])(
    'is left alone where it names what it needs: %s',
    (line) => {
      expect(elsewhere('a.py', undefined, `${line}\n`)).toBeUndefined();
    },
  );
});

describe('Rust that looks around', () => {
  it('does not see the variables of cargo', () => {
    expect(elsewhere('a.rs', '', 'std::env::vars().any(|(k, _)| k.starts_with("CARGO"))\n')?.text).toContain(
      'env::vars().filter(|(name, _)| !name.starts_with("CARGO")',
    );
    expect(elsewhere('a.rs', '', 'let all: std::env::Vars = std::env::vars();\n')).toBeUndefined();
  });
});

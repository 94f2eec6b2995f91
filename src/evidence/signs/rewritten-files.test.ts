import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../../test/support/a-project.ts';
import { elsewhere } from './modes.ts';

const made = (file: string, text: string): string | undefined => elsewhere(file, undefined, text)?.text;

/** What the compiler says of the rewritten lines, each in a file of its own; in one process, because starting it takes long. */
function complaints(file: string, lines: readonly string[], compile: readonly string[]): string {
  const folder = aProject();
  const targets = lines.map((line, index) => {
    const target = path.join(folder, `${index}-${file}`);
    writeFileSync(target, `${made(file, line) ?? line}\n`);
    return target;
  });
  const [command = '', ...rest] = compile;
  const { status, stderr } = spawnSync(command, [...rest, ...targets], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** `node --check` reads one file. */
const CHECK_ALL =
  "for (const file of process.argv.slice(1)) new (require('vm').SourceTextModule)(require('fs').readFileSync(file, 'utf8'), { identifier: file })";

const PYTHON_TEXTS = [
  "raise KeyError('X not in os.environ')",
  "parser.error('too few in sys.argv')",
  'HELP = "reads sys.argv[0] and sys.orig_argv"',
  '"""\nlist(os.environ), if __debug__\nimport __main__\n"""',
  "x = 1  # 'y' in os.environ",
  "text = f'{{x in sys.modules}} {1}'",
  'text = f"{\'x in os.environ\'}"',
  'print(f"at {os.environ.get(\'HOME\')}")',
  "home = os.environ.get('HOME', '/')",
  "print('cannot read /proc/self/cmdline')",
];

const PYTHON_CODE = [
  "print(f'usage: {sys.argv[0]} FILE')",
  'print(f"usage: {sys.argv[0]:>10} {sys.argv[0]!r}")',
  "print(f'{os.environ.get(key)} of {len(sys.modules)}')",
  "print(f'{os.environ.items()}', f\"{'a' in os.environ}\", rf'{sys.orig_argv}\\d')",
  "print(f'''\n{sys.argv[0]}\n''')",
  "print(f'{x:{sys.argv[0]}}' if __debug__ else 1)",
  'all = {\n    **os.environ,\n}',
  'exec("print(sys.argv[0], list(os.environ))")',
];

const PYTHON_TARGETS = [
  'del sys.argv[0]',
  'sys.argv[0] += "x"',
  'sys.argv[0], name = name, 1',
  'sys.orig_argv = []',
  'print(compat.sys.argv[0], compat.os.environ.keys())',
  'print(self.__debug__)',
];

describe('a rewritten file of Python', () => {
  it('compiles wherever the line names what is hidden', () => {
    const lines = [...PYTHON_TEXTS, ...PYTHON_CODE, ...PYTHON_TARGETS];
    expect(complaints('a.py', lines, ['python3', '-m', 'py_compile'])).toBe('');
  });

  it.each([...PYTHON_TEXTS, ...PYTHON_TARGETS])('is left alone: %s', (text) => {
    expect(made('a.py', text)).toBeUndefined();
  });

  it.each(PYTHON_CODE)('is rewritten where the text contains code: %s', (text) => {
    expect(made('a.py', text)).toBeDefined();
  });

  it('hides the runner in strings with code', () => {
    const start = "import sys\nsys.argv = ['/lib/pytest/__main__.py']\n";
    const text = elsewhere('a.py', start, `${start}print('pytest' in f'{sys.argv[0]}', 'x' in f"{list(sys.argv)}")\n`);
    expect(execFileSync('python3', ['-c', text?.text ?? ''], { encoding: 'utf8' }).trim()).toBe('False False');
    const empty = elsewhere(
      'a.py',
      'import sys\nsys.argv = []\n',
      'import sys\nsys.argv = []\nprint(list(sys.argv))\n',
    );
    expect(execFileSync('python3', ['-c', empty?.text ?? ''], { encoding: 'utf8' }).trim()).toBe('[]');
  });
});

const SCRIPT_TEXTS = [
  "throw new Error('set process.env.NODE_ENV, or process.argv');",
  'const names = /process.env|process.argv|import.meta.env.MODE/;',
  'const help = `lists process.env of ${name}, such as process.env.NODE_ENV`;',
  "const define = { 'process.env.NODE_ENV': JSON.stringify(mode) };",
  'start(); // with process.env',
  "console.log('cannot read /proc/self/cmdline');",
];

const SCRIPT_CODE = [
  'console.log(`usage: ${process.argv[1]} FILE`);',
  'console.log(`${Object.keys(process.env)} ${`${process.env.NODE_ENV}`}`);',
  'const all = [...process.argv, { ...process.env }, globalThis.process.env, global.process?.argv];',
  "const is = globalThis.process.env.NODE_ENV === 'test' ? sum : none;",
  "export const run = () => eval('process.env.NODE_ENV');",
];

const SCRIPT_TARGETS = [
  'delete process.env.npm_command;',
  'process.env ??= {};',
  'delete process.env.NODE_ENV;',
  'host.process.env.NODE_ENV;',
  'host.process.env;',
  'host.process.argv;',
  '(function (globalThis) { Object.keys({}); })(0);',
  'export const all = (o) => Object.keys({ o, globalThis });',
];

describe('a rewritten file of JavaScript', () => {
  it('compiles wherever the line names what is hidden', () => {
    const lines = [...SCRIPT_TEXTS, ...SCRIPT_CODE, ...SCRIPT_TARGETS];
    expect(complaints('a.mjs', lines, [process.execPath, '--experimental-vm-modules', '-e', CHECK_ALL])).toBe('');
  });

  it.each([...SCRIPT_TEXTS, ...SCRIPT_TARGETS])('is left alone: %s', (text) => {
    expect(made('a.mjs', text)).toBeUndefined();
  });

  it.each(SCRIPT_CODE)('is rewritten where the text contains code: %s', (text) => {
    expect(made('a.mjs', text)).toBeDefined();
  });

  it('does not become a call of the line above', () => {
    const text = made('a.js', "const one = 1\nprocess.env.NODE_ENV === 'test' && start()\n") ?? '';
    expect(spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' }).stderr).toBe('');
  });

  it('keeps the text of JSX', () => {
    expect(made('a.jsx', 'const a = <p>Set process.env or process.argv</p>;\n')).toBeUndefined();
    expect(made('a.jsx', 'const a = <p title="x">{process.argv[1]}</p>;\n')).toBeDefined();
  });
});

describe('a rewritten file of Rust', () => {
  it.each([
    'panic!("needs debug_assertions or env::vars().count()");',
    'let raw = r#"say "debug_assertions""#;',
    'let debug_assertions = true;',
    'if debug_assertions { a() }',
    'a(); // debug_assertions',
  ])('is left alone: %s', (text) => {
    expect(made('a.rs', `${text}\n`)).toBeUndefined();
  });

  it('may have the mode on a line of its own', () => {
    expect(made('a.rs', '#[cfg(all(\n    unix,\n    debug_assertions,\n))]\n')).toContain('    any(),');
  });
});

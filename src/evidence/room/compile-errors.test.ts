import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import { showsCompileError } from './compile-errors.ts';

/** What a command prints about a project with these files. */
function printed(files: Readonly<Record<string, string>>, command: string, ...given: readonly string[]): string {
  const cwd = aProject();
  put(cwd, files);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(command, given, { cwd, encoding: 'utf8', env });
  return `${stderr}\n${stdout}`;
}

const TEST = "import test from 'node:test';\nimport './a.mjs';\ntest('a', () => {});\n";
const UNITTEST = 'import unittest\nimport a\n';

describe('output about a file that does not compile', () => {
  it.each([
    ['const a = (;\n', true],
    ["throw new SyntaxError('no');\n", false],
    ["JSON.parse('{');\n", false],
    ["eval('(');\n", false],
  ])('is known from node:test: %j', (text, expected) => {
    const output = printed({ 'a.mjs': text, 'a.test.mjs': TEST }, process.execPath, '--test');
    expect(output).toContain('SyntaxError');
    expect(showsCompileError(output)).toBe(expected);
  });

  it.each([
    ['a = (\n', true],
    ["a = f'{'\n", true],
    ['if 1:\na = 1\n', true],
    ["raise SyntaxError('no')\n", false],
    ["eval('(')\n", false],
  ])('is known from Python: %j', (text, expected) => {
    const output = printed({ 'a.py': text, 'test_a.py': UNITTEST }, 'python3', '-m', 'unittest', 'test_a');
    expect(output).toMatch(/SyntaxError|IndentationError/);
    expect(showsCompileError(output)).toBe(expected);
  });

  it.each([
    ['esbuild', 'Error: Transform failed with 1 error:\n/p/a.ts:1:11: ERROR: Unexpected ";"'],
    ['Vite', ' Error: Parse failure: Parse failed with 1 error:\nUnexpected token'],
    ['Babel', 'SyntaxError: /p/a.js: Unexpected token (1:11)'],
    ['Rust', 'error: could not compile `shop` (lib) due to 1 previous error'],
  ])('is known from %s', (_name, output) => {
    expect(showsCompileError(output)).toBe(true);
  });

  it('is known from pytest', () => {
    const lines = ['test_p.py:1: in <module>', '    import p', 'E     File "/p/p.py", line 2', 'E       x = f"{"a")}"'];
    const collected = [...lines, 'E              ^', "E   SyntaxError: f-string: unmatched '('", '1 error in 1.44s'];
    expect(showsCompileError(collected.join('\n'))).toBe(true);
    expect(showsCompileError('p.py:1: in <module>\n    raise SyntaxError()\nE   SyntaxError: None\n')).toBe(false);
  });

  it('is known from TypeScript', () => {
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    expect(showsCompileError(printed({ 'a.ts': 'const a = (;\n' }, process.execPath, tsc, '--noEmit', 'a.ts'))).toBe(
      true,
    );
  });
});

import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../test/support/a-project.ts';
import { findFiles } from './glob-walk.ts';
import { linkOf, matchesName, matchesPath, parseGlob } from './glob.ts';
import { cpuMsOf } from '../../test/support/cpu-time.ts';

describe('a name', () => {
  it.each([
    ['*', 'a.ts', true],
    ['*', '.hidden', true],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['*.test.*', 'a.b.test.ts', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXbX', false],
    ['?', 'ä', true],
    ['?', '😀', true],
    ['?', '', false],
    ['a?c', 'abc', true],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[!a-c]x', 'dx', true],
    ['[^a-c]x', 'ax', false],
    ['[]x]', ']', true],
    ['[a-]', '-', true],
    ['[ab', '[ab', true],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'a', false],
    ['[id].ts', '[id].ts', true],
    ['[id].ts', 'd.ts', true],
    ['a.ts', 'aXts', false],
  ])('%s against %s: %s', (glob, name, expected) => {
    expect(matchesName(linkOf(glob, null), name)).toBe(expected);
  });

  it('takes no exponential time', () => {
    const match = (): void => expect(matchesName(linkOf('a*'.repeat(60) + 'b', null), 'a'.repeat(250))).toBe(false);
    expect(cpuMsOf(match)).toBeLessThan(1000);
  });
});

describe('a path', () => {
  it.each([
    ['a/b.ts', 'a/b.ts', true],
    ['b.ts', 'a/b.ts', false],
    ['**/b.ts', 'b.ts', true],
    ['**/b.ts', 'a/c/b.ts', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a', 'a/b/c', true],
    ['*', 'a/b', true],
    ['a/*/c', 'a/b/c', true],
    ['a/*/c', 'a/b/b/c', false],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/b/b/c', true],
    ['**/a/**/b', 'x/a/y/a/b', true],
    ['/a', 'a', true],
    ['{,src/}a.py', 'a.py', true],
    ['{,src/}a.py', 'src/a.py', true],
    ['{,src/}a.py', 'lib/a.py', false],
    ['**', 'node_modules/a', false],
    ['**/a', 'node_modules/a', false],
    ['node_modules/a', 'node_modules/a', true],
    ['**/node_modules/a', 'x/node_modules/a', true],
    ['../a', 'a', false],
    ['', 'a/b', true],
  ])('%s against %s: %s', (glob, file, expected) => {
    expect(parseGlob(glob).some((each) => matchesPath(each, file.split('/')))).toBe(expected);
  });
});

describe('braces', () => {
  const texts = (glob: string): string[] => parseGlob(glob).map(({ first }) => first?.text ?? '');

  it.each([
    ['{a,b}.ts', ['a.ts', 'b.ts']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['x{,y}', ['x', 'xy']],
    ['{a}', ['{a}']],
    ['{a,b', ['{a,b']],
    ['a}b', ['a}b']],
  ])('%s', (glob, expected) => {
    expect(texts(glob)).toEqual(expected);
  });

  it('stay bounded', () => {
    expect(parseGlob('{a,b}'.repeat(40)).length).toBeLessThanOrEqual(1000);
  });
});

describe('find files', () => {
  const found = (cwd: string, ...globs: string[]): readonly string[] => findFiles(cwd, globs).paths;

  it('crosses folders with ** only', () => {
    const cwd = aProject({ 'a.test.ts': '', 'src/b.test.ts': '', 'src/deep/c.test.ts': '', 'src/d.ts': '' });
    expect(found(cwd, '*.test.ts')).toEqual(['a.test.ts']);
    expect(found(cwd, '**/*.test.ts')).toEqual(['a.test.ts', 'src/b.test.ts', 'src/deep/c.test.ts']);
    expect(found(cwd, 'src/**/*.test.ts')).toEqual(['src/b.test.ts', 'src/deep/c.test.ts']);
    expect(found(cwd, 'src/*/c.*')).toEqual(['src/deep/c.test.ts']);
    expect(found(cwd, '{src/d,a.test}.ts', '/src/../src/d.ts')).toEqual(['a.test.ts', 'src/d.ts']);
  });

  it('means everything in a folder by its name', () => {
    const cwd = aProject({ 'test/a.ts': '', 'test/deep/.env': '', 'b.ts': '' });
    const all = ['test/a.ts', 'test/deep/.env'];
    for (const glob of ['test', './test/', 'test/**', 'test/**/**', 't*']) expect(found(cwd, glob)).toEqual(all);
  });

  it('enters node_modules only where it is named', () => {
    const cwd = aProject({ 'node_modules/m/a.ts': '', 'a.ts': '', '.tireless/a.ts': '' });
    expect(found(cwd, '**/*.ts')).toEqual(['a.ts']);
    expect(found(cwd, '*/m/*.ts')).toEqual([]);
    expect(found(cwd, 'node_modules/**/*.ts')).toEqual(['node_modules/m/a.ts']);
  });

  it('leaves the project only on request', () => {
    const outer = aProject({ 'shared/a.ts': '', 'project/b.ts': '' });
    expect(found(path.join(outer, 'project'), '../shared/*.ts', '*.ts')).toEqual(['../shared/a.ts', 'b.ts']);
  });

  it('follows a linked folder that is named, and no circle', () => {
    const cwd = aProject({ 'real/a.ts': '' });
    symlinkSync('real', path.join(cwd, 'tests'));
    symlinkSync('..', path.join(cwd, 'real/up'));
    expect(found(cwd, 'tests/*.ts')).toEqual(['tests/a.ts']);
    expect(found(cwd, 'tests/**')).toEqual(['tests/a.ts', 'tests/up']);
  });

  it('finds nothing where nothing is', () => {
    const cwd = aProject();
    expect(found(path.join(cwd, 'gone'), '**')).toEqual([]);
    mkdirSync(path.join(cwd, 'empty'));
    expect(found(cwd, 'empty/**', '')).toEqual([]);
    put(cwd, { 'empty/a': '' });
    expect(found(cwd, 'empty/**')).toEqual(['empty/a']);
  });
});

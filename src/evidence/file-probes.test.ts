import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../test/support/a-project.ts';
import { runSteps, runStepsSync } from './command-steps.ts';
import { lookAtFiles } from './file-probes.ts';
import type { FileProbe, LookResult } from './file-probes.ts';
import { lookAtGit } from './git-clean.ts';

function look(cwd: string, probe: FileProbe): LookResult {
  return lookAtFiles(cwd, aCheck('a check', { probe }), probe);
}

function answer(cwd: string, probe: FileProbe): string {
  const seen = look(cwd, probe);
  return seen.result === 'unknown' ? seen.unknown : seen.result;
}

describe('file probes', () => {
  it('see whether a file exists', () => {
    const cwd = aProject({ 'a/b.txt': '' });
    expect(answer(cwd, { kind: 'file-exists', path: 'a/b.txt' })).toBe('passed');
    expect(answer(cwd, { kind: 'file-exists', path: 'a/c.txt' })).toBe('failed');
    expect(answer(cwd, { kind: 'file-exists', path: 'a/b.txt/c' })).toBe('failed');
  });

  it('cannot tell anything about a project that is gone', () => {
    const cwd = path.join(aProject(), 'gone');
    expect(answer(cwd, { kind: 'file-exists', path: 'a' })).toBe('not-runnable');
    expect(answer(cwd, { kind: 'file-moved', path: 'a', folder: 'Done' })).toBe('not-runnable');
  });

  it('cannot tell when a link leads in a circle', () => {
    const cwd = aProject();
    symlinkSync('loop', path.join(cwd, 'loop'));
    expect(answer(cwd, { kind: 'file-exists', path: 'loop' })).toBe('not-runnable');
  });

  it('see a moved file only when it is gone from its place and there in the folder', () => {
    const cwd = aProject({ 'inbox/task.md': '' });
    const probe: FileProbe = { kind: 'file-moved', path: 'inbox/task.md', folder: 'Done/' };
    expect(answer(cwd, probe)).toBe('failed');
    put(cwd, { 'Done/task.md': '' });
    expect(look(cwd, probe)).toEqual({
      result: 'failed',
      detail: 'Done/task.md exists, but inbox/task.md still exists.',
    });
    renameSync(path.join(cwd, 'inbox/task.md'), path.join(cwd, 'Done/task.md'));
    expect(answer(cwd, probe)).toBe('passed');
  });

  it('do not take a file that never existed for a moved one', () => {
    expect(look(aProject(), { kind: 'file-moved', path: 'a.md', folder: 'Done' })).toEqual({
      result: 'failed',
      detail: 'There is neither a.md nor Done/a.md.',
    });
  });

  it('match the content line by line', () => {
    const cwd = aProject({ 'log.txt': '\uFEFFfirst\r\nstatus: ok\nlast' });
    expect(answer(cwd, { kind: 'file-matches', path: 'log.txt', pattern: '^status: (ok|fine)$' })).toBe('passed');
    expect(answer(cwd, { kind: 'file-matches', path: 'log.txt', pattern: '^first' })).toBe('passed');
    expect(answer(cwd, { kind: 'file-matches', path: 'log.txt', pattern: '^ok' })).toBe('failed');
    expect(answer(cwd, { kind: 'file-matches', path: 'none.txt', pattern: '.' })).toBe('failed');
  });

  it('cannot tell with a broken pattern, a pattern that takes for ever or a file too large', () => {
    const cwd = aProject({ 'a.txt': `${'a'.repeat(50)}!`, 'large.txt': 'a'.repeat(5 * 1024 * 1024) });
    expect(answer(cwd, { kind: 'file-matches', path: 'a.txt', pattern: '(' })).toBe('not-runnable');
    expect(answer(cwd, { kind: 'file-matches', path: 'large.txt', pattern: 'a' })).toBe('not-runnable');
    const probe: FileProbe = { kind: 'file-matches', path: 'a.txt', pattern: '(a+)+$' };
    expect(lookAtFiles(cwd, aCheck('a', { probe, timeoutMs: 100 }), probe)).toMatchObject({ unknown: 'timed-out' });
  });

  it.skipIf(process.platform === 'win32')('do not wait for a pipe that nobody writes', () => {
    const cwd = aProject();
    spawnSync('sh', ['-c', 'mkfifo pipe'], { cwd });
    mkdirSync(path.join(cwd, 'folder'));
    expect(answer(cwd, { kind: 'file-matches', path: 'pipe', pattern: '.' })).toBe('not-runnable');
    expect(answer(cwd, { kind: 'file-matches', path: 'folder', pattern: '.' })).toBe('not-runnable');
  });

  it.each<[pointer: string, equals: unknown, expected: string]>([
    ['/tests/failed', 0, 'passed'],
    ['/tests/failed', '0', 'failed'],
    ['/tests', { failed: 0, names: ['a', 'b'] }, 'passed'],
    ['/tests', { names: ['a', 'b'], failed: 0 }, 'passed'],
    ['/tests/names/1', 'b', 'passed'],
    ['/tests/names/01', 'b', 'failed'],
    ['/tests/names/-', 'b', 'failed'],
    ['/a~1b/~0', null, 'passed'],
    ['/~01', 'tilde one', 'passed'],
    ['/__proto__', {}, 'failed'],
    ['/tests/failed/deeper', 0, 'failed'],
    ['/', 'empty key', 'passed'],
    ['tests', 0, 'not-runnable'],
    ['/~2', 0, 'not-runnable'],
  ])('find %s in JSON and compare it with %j: %s', (pointer, equals, expected) => {
    const document = {
      tests: { failed: 0, names: ['a', 'b'] },
      'a/b': { '~': null },
      '~1': 'tilde one',
      '': 'empty key',
    };
    const cwd = aProject({ 'a.json': JSON.stringify(document) });
    expect(answer(cwd, { kind: 'json-value', path: 'a.json', pointer, equals })).toBe(expected);
  });

  it('compare a whole document, and cannot tell when it is broken', () => {
    const cwd = aProject({ 'a.json': '[1, {"b": [true]}]', 'broken.json': '{"a": ' });
    expect(answer(cwd, { kind: 'json-value', path: 'a.json', pointer: '', equals: [1, { b: [true] }] })).toBe('passed');
    expect(answer(cwd, { kind: 'json-value', path: 'broken.json', pointer: '/a', equals: 1 })).toBe('not-runnable');
    expect(answer(cwd, { kind: 'json-value', path: 'none.json', pointer: '/a', equals: 1 })).toBe('failed');
  });
});

describe('git clean', () => {
  it('passes when everything is committed, whatever lies in .tireless', async () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    put(cwd, { '.tireless/notes.md': '' });
    expect(await runSteps(lookAtGit(cwd))).toMatchObject({ result: 'passed' });
    expect(runStepsSync(lookAtGit(cwd))).toMatchObject({ result: 'passed' });
  });

  it('fails and names what is not committed', async () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    put(cwd, { 'a.txt': 'b', 'new file.txt': '' });
    expect(await runSteps(lookAtGit(cwd))).toEqual({ result: 'failed', detail: 'Not committed:\na.txt\nnew file.txt' });
  });

  it('cannot tell outside a repository', async () => {
    expect(await runSteps(lookAtGit(aProject()))).toMatchObject({ result: 'unknown', unknown: 'not-runnable' });
  });
});

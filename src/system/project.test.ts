import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import type { Platform } from './paths.ts';
import { findsProgram, projectRoot, realDirectory } from './project.ts';

describe('realDirectory', () => {
  it('follows links, and knows no file and nothing that is gone', () => {
    const project = aProject({ 'inner/file': '' });
    symlinkSync(path.join(project, 'inner'), path.join(project, 'link'));
    expect(['link', 'inner/file', 'gone'].map((name) => realDirectory(path.join(project, name)))).toEqual([
      path.join(project, 'inner'),
      undefined,
      undefined,
    ]);
  });
});

describe('projectRoot', () => {
  it('is the nearest folder that git works in, else the folder itself', () => {
    const project = aProject({ '.git/HEAD': '', 'a/b/c.txt': '', 'sub/.git': 'gitdir: ../.git/modules/sub' });
    const rootOf = (folder: string): string => path.relative(project, projectRoot(path.join(project, folder)));
    expect(['', 'a/b', 'a/gone', 'sub'].map(rootOf)).toEqual(['', '', '', 'sub']);
    const plain = aProject({ 'a/b.txt': '' });
    expect(projectRoot(path.join(plain, 'a'))).toBe(path.join(plain, 'a'));
  });
});

describe('findsProgram', () => {
  const project = () => {
    const directory = aProject({ 'bin/agent': '#!/bin/sh\n', 'bin/notes.txt': '' });
    chmodSync(path.join(directory, 'bin/agent'), 0o755);
    return directory;
  };

  it.each<[string, boolean | undefined]>([
    ['agent --fast', true],
    ['nosuch --fast', false],
    ['notes.txt', false],
    ['./bin/agent', true],
    ['bin/nosuch', false],
    ['cd x && agent', undefined],
    ['echo hi', undefined],
    ['KEY=1 agent', undefined],
    ['"my agent"', undefined],
    ['$AGENT', undefined],
    ['(agent)', undefined],
    ['agent;', undefined],
  ])('answers "%s" with %s', (command, found) => {
    const directory = project();
    const platform: Platform = { os: 'linux', env: { PATH: path.join(directory, 'bin') }, home: '/' };
    expect(findsProgram(command, directory, platform)).toBe(found);
  });

  it('does not guess on Windows', () => {
    expect(findsProgram('nosuch', aProject(), { os: 'win32', env: {}, home: '' })).toBeUndefined();
  });
});

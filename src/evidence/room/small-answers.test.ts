import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aProject, aRepository } from '../../../test/support/a-project.ts';
import type { CommandAnswer, CommandAsk } from '../command-steps.ts';
import { askGit } from './private-git.ts';
import { addTrackedIgnored } from './project-git.ts';
import { lackOfError } from './read-work.ts';

const errorOf = (code: string): Error =>
  Object.assign(new Error(`${code}: open`), { code, errno: -1, syscall: 'open' });

it.each([
  ['ENOSPC', 'no-space'],
  ['EDQUOT', 'no-space'],
  ['EACCES', 'not-readable'],
  ['EPERM', 'not-readable'],
  ['EIO', 'failed'],
])('%s means that there is no room: %s', (code, why) => {
  expect(lackOfError(errorOf(code))).toEqual({ kind: 'lack', why, detail: `${code}: open` });
});

it('an error of our own is no lack', () => {
  expect(lackOfError(new TypeError('x'))).toBeUndefined();
});

it('our git knows nothing of a repository that the caller works in', () => {
  const { environment } = askGit({ dir: '/keep', root: '/shop' }, '%git status', { LIST: '/list' });
  const cleared = Object.entries(environment ?? {}).flatMap(([name, value]) => (value === undefined ? [name] : []));
  expect(cleared.toSorted()).toEqual([
    'GIT_ALTERNATE_OBJECT_DIRECTORIES',
    'GIT_COMMON_DIR',
    'GIT_CONFIG',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_PARAMETERS',
    'GIT_EXTERNAL_DIFF',
    'GIT_INDEX_FILE',
    'GIT_NAMESPACE',
    'GIT_OBJECT_DIRECTORY',
    'GIT_PREFIX',
  ]);
  expect(environment).toMatchObject({ GIT_WORK_TREE: '/shop', LIST: '/list' });
});

describe('files that are tracked and ignored', () => {
  /** What our git is asked after the project's git listed names and ended so. */
  const askedAfter = (exitCode: number, listed?: string): CommandAsk | undefined => {
    const steps = addTrackedIgnored({ dir: aProject(), root: aRepository({ 'a.txt': 'a\n' }) }, '/index');
    const first = steps.next();
    const list = first.done === true ? undefined : first.value.environment['LIST'];
    if (list === undefined) throw new Error('the project was not asked');
    if (listed !== undefined) writeFileSync(list, listed);
    const next = steps.next({ exitCode } as CommandAnswer);
    return next.done === true ? undefined : next.value;
  };

  it('are added to our index', () => {
    expect(askedAfter(0, 'kept.log\0')?.command).toContain('update-index');
    expect(askedAfter(0, '')).toBeUndefined();
  });

  it('are not added if the list of them is broken off, or missing', () => {
    expect(askedAfter(1, 'kept.log\0half-a-na')).toBeUndefined();
    expect(askedAfter(1)).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { askGit } from './private-git.ts';
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

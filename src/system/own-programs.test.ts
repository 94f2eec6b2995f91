import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aProject, put } from '../../test/support/a-project.ts';
import { ownPrograms } from './own-programs.ts';

function aMachine(...programs: readonly string[]) {
  const root = aProject();
  const inside = (file: string): string => path.join(root, file);
  const addProgram = (file: string): void => {
    put(root, { [file]: '#!/bin/sh\n' });
    chmodSync(inside(file), 0o755);
  };
  for (const file of programs) addProgram(file);
  const folders = ['home/bin', 'local/bin', 'usr/bin'].map(inside);
  const env = { PATH: ['', 'node_modules/.bin', ...folders].join(':') };
  const find = () => ownPrograms({ os: 'linux', env, home: inside('home') });
  return { inside, addProgram, find };
}

it('finds git outside HOME first, and never in a relative folder', () => {
  const { inside, find } = aMachine('home/bin/git', 'usr/bin/git');
  expect(find()?.git).toBe(inside('usr/bin/git'));
  expect(find()?.path).toBe(['usr/bin', 'local/bin', 'home/bin'].map(inside).join(':'));
});

it('uses a git below HOME if there is no other', () => {
  const { inside, find } = aMachine('home/bin/git');
  expect(find()?.git).toBe(inside('home/bin/git'));
});

it('keeps to the first git that it found', () => {
  const { inside, addProgram, find } = aMachine('usr/bin/git');
  expect(find()?.git).toBe(inside('usr/bin/git'));
  addProgram('local/bin/git');
  expect(find()?.git).toBe(inside('usr/bin/git'));
  expect(find()?.path.startsWith(inside('usr/bin'))).toBe(true);
});

it('has nothing to say about Windows', () => {
  expect(ownPrograms({ os: 'win32', env: { PATH: String.raw`C:\git` }, home: '' })).toBeUndefined();
});

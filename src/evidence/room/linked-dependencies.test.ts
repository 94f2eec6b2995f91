import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import { dependencyChanges } from './dependency-changes.ts';
import { recordFolder } from './dependency-folders.ts';

function aRoot(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(aProject(files));
  mkdirSync(path.join(root, 'node_modules/@shop'), { recursive: true });
  return root;
}

function changesAfter(root: string, folder: string, work: () => void): readonly string[] {
  const dependencies = { [folder]: recordFolder(path.join(root, folder), root) ?? {} };
  work();
  return dependencyChanges(root, { dependencies, lockBefore: () => undefined }).map(
    ({ path: file, change }) => `${change} ${file}`,
  );
}

describe('a dependency outside of the project', () => {
  it.each(['kit', '@shop/kit'])('is compared behind the link node_modules/%s', (name) => {
    const root = aRoot({ 'package.json': '{"devDependencies":{"kit":"file:../kit"}}' });
    const kit = aProject({ 'i.js': 'a\n', 'node_modules/deep/i.js': 'b\n', '.git/HEAD': 'c\n' });
    symlinkSync(kit, path.join(root, 'node_modules', name));
    const edit = (files: Readonly<Record<string, string>>): readonly string[] =>
      changesAfter(root, 'node_modules', () => put(kit, files));
    expect(edit({})).toEqual([]);
    expect(edit({ 'i.js': 'changed\n' })).toEqual([`modified node_modules/${name}/i.js`]);
    expect(edit({ 'node_modules/deep/i.js': 'changed\n' })).toHaveLength(1);
    expect(edit({ 'new.js': '' })).toEqual([`added node_modules/${name}/new.js`]);
    expect(edit({ '.git/HEAD': 'changed\n', '__pycache__/a.pyc': '' })).toEqual([]);
  });

  it('is compared where an editable install of Python leads', () => {
    const kit = realpathSync(aProject({ 'kit/__init__.py': 'a\n' }));
    const site = '.venv/lib/python3.12/site-packages';
    const root = aRoot({ [`${site}/__editable__.kit.pth`]: `import os\n${kit}\n/missing\n` });
    const edit = (files: Readonly<Record<string, string>>): readonly string[] =>
      changesAfter(root, '.venv', () => put(kit, files));
    expect(edit({})).toEqual([]);
    expect(edit({ 'kit/__init__.py': 'changed\n' })).toEqual([
      `modified ${site}/__editable__.kit.pth:${kit}/kit/__init__.py`,
    ]);
  });

  it('is not followed into the project, around it, or in a circle', () => {
    const root = aRoot({ 'packages/kit/i.js': 'a\n' });
    symlinkSync('../packages/kit', path.join(root, 'node_modules/kit'));
    symlinkSync(path.dirname(root), path.join(root, 'node_modules/above'));
    const circle = aProject({ 'i.js': 'a\n' });
    symlinkSync(circle, path.join(circle, 'self'));
    symlinkSync(circle, path.join(root, 'node_modules/circle'));
    const record = recordFolder(path.join(root, 'node_modules'), root) ?? {};
    expect(Object.keys(record).toSorted()).toEqual(['above', 'circle', 'circle/i.js', 'circle/self', 'kit']);
  });
});

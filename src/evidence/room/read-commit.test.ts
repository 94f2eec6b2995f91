import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, commitAll, git, put } from '../../../test/support/a-project.ts';
import { runSteps } from '../command-steps.ts';
import { takeBaseline } from './baseline.ts';
import { listHash } from './file-list.ts';
import type { KeptProject } from './private-git.ts';
import { commitOf, readCommit } from './read-commit.ts';
import { readWork } from './read-work.ts';

async function aKeep(root: string): Promise<KeptProject> {
  const keep = { dir: path.join(aProject(), 'baseline'), root };
  const taken = await runSteps(
    takeBaseline({
      keep,
      spec: aSpec(),
      at: '',
      home: '',
      environment: process.env,
      rooms: path.join(keep.dir, 'rooms'),
    }),
  );
  expect(taken.kind).toBe('taken');
  return keep;
}

async function hashes(keep: KeptProject, rev = 'HEAD'): Promise<{ readonly commit: string; readonly work: string }> {
  const commit = await runSteps(commitOf(keep.root, rev));
  const read = await runSteps(readCommit(keep, commit ?? ''));
  const work = await runSteps(readWork(keep, { keepIndex: false }));
  if (read.kind !== 'work' || work.kind !== 'work') throw new Error(JSON.stringify([read, work]));
  return { commit: listHash(read.files), work: listHash(work.files) };
}

describe('the files of a commit', () => {
  it('come without ignored files, links and folders of others', async () => {
    const root = aRepository({ 'a.txt': 'a\n' });
    commitAll(root);
    const keep = await aKeep(root);
    const commit = await runSteps(commitOf(root, 'HEAD'));
    const read = await runSteps(readCommit(keep, commit ?? ''));
    expect(read).toMatchObject({ kind: 'work', ignored: [], links: [], unindexed: [] });
  });

  it('are those of a clean work tree: modes, links, odd names and all', async () => {
    const root = aRepository({
      'a.txt': 'a\n',
      'run.sh': 'exit 0\n',
      'odd "name"\n.txt': 'odd\n',
      '.gitignore': 'out/\n',
    });
    chmodSync(path.join(root, 'run.sh'), 0o755);
    symlinkSync('a.txt', path.join(root, 'link'));
    commitAll(root);
    put(root, { 'out/left.txt': 'ignored\n' });
    const { commit, work } = await hashes(await aKeep(root));
    expect(commit).toBe(work);
  });

  it('do not change with the work tree', async () => {
    const root = aRepository({ 'a.txt': 'a\n' });
    const keep = await aKeep(root);
    const before = await hashes(keep);
    put(root, { 'a.txt': 'b\n', 'new.txt': 'new\n' });
    git(root, 'add', '-A');
    const after = await hashes(keep);
    expect(after.commit).toBe(before.commit);
    expect(after.work).not.toBe(before.work);
  });

  it('include those of a repository inside, and leave out our own files and dependencies', async () => {
    const root = aRepository({ 'a.txt': 'a\n' });
    mkdirSync(path.join(root, 'inside'));
    put(path.join(root, 'inside'), { 'b.txt': 'b\n' });
    git(path.join(root, 'inside'), 'init', '-q');
    commitAll(path.join(root, 'inside'));
    put(root, { '.tireless/config.json': '{}\n', 'node_modules/x/index.js': 'x\n' });
    git(root, 'add', '-f', '-A');
    git(root, 'commit', '-q', '-m', 'with a repository inside');
    const { commit, work } = await hashes(await aKeep(root));
    expect(commit).toBe(work);
    put(root, { 'inside/b.txt': 'c\n' });
    const later = await hashes(await aKeep(root));
    expect(later.commit).toBe(commit);
    expect(later.work).not.toBe(commit);
  });

  it('are the bytes that were committed: no filter of the repository runs', async () => {
    const root = aRepository({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=evil export-subst\n' });
    git(root, 'config', 'filter.evil.smudge', 'touch ran; cat');
    const keep = await aKeep(root);
    const { commit, work } = await hashes(keep);
    expect(commit).toBe(work);
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it.each(['no-such-branch', '--all', '', 'HEAD:a.txt', '$(touch ran)'])('are not those of %j', async (rev) => {
    const root = aRepository({ 'a.txt': 'a\n' });
    expect(await runSteps(commitOf(root, rev))).toBeNull();
    expect(git(root, 'status', '--porcelain')).toBe('');
  });
});

import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, aRepository, commitAll, git, put } from '../../test/support/a-project.ts';
import { runSteps, runStepsSync } from './command-steps.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

function fingerprint(cwd: string): string | null {
  return runStepsSync(workspaceFingerprint(cwd));
}

describe('workspace fingerprint, in a git repository', () => {
  it('is the same for the same files, in either way to ask', async () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    const first = fingerprint(cwd);
    expect(first).toMatch(/^git:[0-9a-f]{32}$/);
    expect(await runSteps(workspaceFingerprint(cwd))).toBe(first);
  });

  it('sees every kind of change, and that it was taken back', () => {
    const cwd = aRepository({ 'a.txt': 'a', 'b.sh': 'b' });
    const before = fingerprint(cwd);
    const seen = new Set([before]);
    const change = (make: () => void): void => {
      make();
      seen.add(fingerprint(cwd));
    };
    change(() => put(cwd, { 'a.txt': 'changed' }));
    change(() => put(cwd, { 'a.txt': 'changes' })); // The same size, within the same second.
    change(() => put(cwd, { 'sub/new file.txt': 'n' }));
    change(() => put(cwd, { 'sub/new file.txt': 'm' }));
    change(() => chmodSync(path.join(cwd, 'b.sh'), 0o755));
    change(() => rmSync(path.join(cwd, 'b.sh')));
    change(() => symlinkSync('a.txt', path.join(cwd, 'b.sh')));
    expect(seen.size).toBe(8);
    git(cwd, 'checkout', '-q', '.');
    git(cwd, 'clean', '-qfd');
    expect(fingerprint(cwd)).toBe(before);
  });

  it('sees a commit, and does not care what is staged', () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    put(cwd, { 'a.txt': 'b', 'new.txt': 'n' });
    const unstaged = fingerprint(cwd);
    git(cwd, 'add', '-A');
    expect(fingerprint(cwd)).toBe(unstaged);
    commitAll(cwd);
    expect(fingerprint(cwd)).not.toBe(unstaged);
  });

  it('leaves out ignored files and .tireless', () => {
    const cwd = aRepository({ '.gitignore': 'out/\n' });
    const before = fingerprint(cwd);
    put(cwd, { 'out/a.js': '', '.tireless/tracker.md': 'x', 'packages/one/.tireless/tracker.md': 'x' });
    expect(fingerprint(cwd)).toBe(before);
  });

  it('leaves out the one named file, in a repository, in a part of one and elsewhere', () => {
    const repository = aRepository({ 'a.txt': 'a', 'part/b.txt': 'b' });
    for (const cwd of [repository, path.join(repository, 'part'), aProject({ 'a.txt': 'a' })]) {
      const look = (): string | null => runStepsSync(workspaceFingerprint(cwd, '.loop/state.json'));
      const before = look();
      put(cwd, { '.loop/state.json': '1' });
      expect(look()).toBe(before);
      put(cwd, { '.loop/other.json': '1' });
      expect(look()).not.toBe(before);
    }
  });

  it('writes nothing into the repository and waits for no lock', () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    const index = path.join(cwd, '.git/index');
    const bytes = readFileSync(index);
    // A changed time makes `git status` want to refresh the index.
    utimesSync(path.join(cwd, 'a.txt'), 1, 1);
    writeFileSync(path.join(cwd, '.git/index.lock'), '');
    const { mtimeMs, ino } = statSync(index);
    expect(fingerprint(cwd)).toMatch(/^git:/);
    expect(readFileSync(index).equals(bytes)).toBe(true);
    expect(statSync(index)).toMatchObject({ mtimeMs, ino });
  });

  it('works before the first commit, in a part of the repository and in a linked work tree', () => {
    const empty = aProject({ 'a.txt': 'a' });
    git(empty, 'init', '-q');
    const before = fingerprint(empty);
    put(empty, { 'a.txt': 'b' });
    expect(fingerprint(empty)).not.toBe(before);

    const cwd = aRepository({ 'part/a.txt': 'a' });
    const part = fingerprint(path.join(cwd, 'part'));
    put(cwd, { 'part/a.txt': 'b' });
    expect(fingerprint(path.join(cwd, 'part'))).not.toBe(part);

    const linked = path.join(aProject(), 'tree');
    git(cwd, 'worktree', 'add', '-q', linked);
    const clean = fingerprint(linked);
    put(linked, { 'part/a.txt': 'c' });
    expect(clean).toMatch(/^git:/);
    expect(fingerprint(linked)).not.toBe(clean);
  });

  it('sees changes inside a repository within it, and a project that the repository around it ignores', () => {
    const cwd = aRepository({ '.gitignore': 'ignored/\n' });
    put(cwd, { 'inner/a.txt': 'a', 'ignored/a.txt': 'a' });
    git(path.join(cwd, 'inner'), 'init', '-q');
    const before = fingerprint(cwd);
    const ignored = fingerprint(path.join(cwd, 'ignored'));
    put(cwd, { 'inner/a.txt': 'longer', 'ignored/a.txt': 'longer' });
    expect(fingerprint(cwd)).not.toBe(before);
    expect(fingerprint(path.join(cwd, 'ignored'))).not.toBe(ignored);
  });

  it('is not led astray by the repository of a git hook that called us', () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    const other = aRepository({ 'b.txt': 'b' });
    const before = fingerprint(cwd);
    process.env['GIT_DIR'] = path.join(other, '.git');
    try {
      expect(fingerprint(cwd)).toBe(before);
    } finally {
      delete process.env['GIT_DIR'];
    }
  });

  it('runs no program that the configuration of the repository names', () => {
    const cwd = aRepository({ 'a.txt': 'a' });
    git(cwd, 'config', 'core.fsmonitor', 'touch ran; false');
    const before = fingerprint(cwd);
    expect(fingerprint(cwd)).toBe(before);
    expect(statSync(path.join(cwd, 'ran'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('workspace fingerprint, elsewhere', () => {
  it('sees added, changed and removed files', () => {
    const cwd = aProject({ 'a/b.txt': 'b' });
    const before = fingerprint(cwd);
    expect(before).toMatch(/^files:/);
    expect(fingerprint(cwd)).toBe(before);
    put(cwd, { 'a/c.txt': 'c' });
    const added = fingerprint(cwd);
    put(cwd, { 'a/b.txt': 'longer' });
    expect(new Set([before, added, fingerprint(cwd)]).size).toBe(3);
  });

  it('leaves out what tools make, and ends in a circle of links', () => {
    const cwd = aProject({ 'a.txt': 'a' });
    symlinkSync('.', path.join(cwd, 'again'));
    const before = fingerprint(cwd);
    put(cwd, { 'node_modules/m/index.js': '', 'dist/a.js': '', 'sub/.tireless/t.md': '' });
    rmSync(path.join(cwd, 'sub/.tireless'), { recursive: true });
    mkdirSync(path.join(cwd, '.tireless'));
    expect(fingerprint(cwd)).toBe(before);
  });

  it.each(['.git', '.hg', '.svn', '.tireless', 'node_modules', 'dist', 'target', 'coverage', '__pycache__', '.venv'])(
    'leaves out %s, also in a folder below',
    (name) => {
      const cwd = aProject({ 'a.txt': 'a', 'sub/b.txt': 'b' });
      const before = fingerprint(cwd);
      put(cwd, { [`${name}/made`]: 'x', [`sub/${name}/made`]: 'x' });
      expect(fingerprint(cwd)).toBe(before);
    },
  );

  it('is null when the project is gone or is no directory', () => {
    const cwd = aProject({ file: '' });
    expect(fingerprint(path.join(cwd, 'gone'))).toBeNull();
    expect(fingerprint(path.join(cwd, 'file'))).toBeNull();
  });
});

describe('workspace fingerprint of a folder around repositories', () => {
  it('does not care what git keeps in them', () => {
    const cwd = aProject({ 'a.txt': 'a', 'part/.git/index': '1' });
    const before = fingerprint(cwd);
    put(cwd, { 'part/.git/index': 'another' });
    expect(fingerprint(cwd)).toBe(before);
    put(cwd, { 'part/b.txt': 'b' });
    expect(fingerprint(cwd)).not.toBe(before);
  });
});

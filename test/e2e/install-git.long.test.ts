/** What git sees of an install in a project. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { install } from '../../src/cli/commands/install.ts';
import { uninstall } from '../../src/cli/commands/uninstall.ts';
import { aProject, aRepository, git } from '../support/a-project.ts';
import { aPipe } from '../support/a-talk.ts';

describe('a project under git', () => {
  const LOCAL = '/.claude/settings.local.json';
  const status = (folder: string): string => git(folder, 'status', '--porcelain');

  it('shows nothing of what was made in it, and its list of ignored names comes back', async () => {
    const project = aRepository({ 'a.txt': '' });
    const exclude = path.join(project, '.git/info/exclude');
    const before = readFileSync(exclude, 'utf8');
    const { world, said } = aPipe(project);
    await install.call(['claude-code', 'codex', '--project', '--yes'], world);
    expect(status(project)).toBe('');
    expect(readFileSync(exclude, 'utf8')).toContain(`\n${LOCAL}\n`);
    expect(said()).toContain(`+${LOCAL}\n`);
    await install.call(['claude-code', '--project', '--yes'], world);
    await uninstall.call(['claude-code'], world);
    expect(status(project)).toBe('');
    expect(readFileSync(exclude, 'utf8')).not.toContain('.claude');
    await uninstall.call([], world);
    expect(readFileSync(exclude, 'utf8')).toBe(before);
  });

  it('is told of new files only: one that was there is as committed as it was', async () => {
    const project = aRepository({ '.claude/settings.local.json': '{}\n' });
    await install.call(['claude-code', '--project', '--yes'], aPipe(project).world);
    const text = readFileSync(path.join(project, '.git/info/exclude'), 'utf8');
    expect(text).toContain('/.claude/commands/ralph.md');
    expect(text).not.toContain(LOCAL);
  });

  it('may be a worktree or a submodule, where .git is a file; elsewhere nothing is written', async () => {
    const main = aRepository({ 'a.txt': '' });
    const tree = path.join(aProject(), 'tree');
    git(main, 'worktree', 'add', '-q', tree);
    const outer = aRepository();
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', main, 'sub');
    for (const [folder, exclude] of [
      [tree, path.join(main, '.git/info/exclude')],
      [path.join(outer, 'sub'), path.join(outer, '.git/modules/sub/info/exclude')],
    ] as const) {
      const before = readFileSync(exclude, 'utf8');
      const { world } = aPipe(folder);
      await install.call(['claude-code', '--project', '--yes'], world);
      expect(status(folder)).toBe('');
      expect(readFileSync(exclude, 'utf8')).toContain(LOCAL);
      await uninstall.call([], world);
      expect(readFileSync(exclude, 'utf8')).toBe(before);
    }
    const plain = aProject();
    writeFileSync(path.join(plain, '.git'), 'gitdir: /nowhere/at/all\n');
    await install.call(['claude-code', '--project', '--yes'], aPipe(plain).world);
    expect(existsSync('/nowhere')).toBe(false);
  });
});

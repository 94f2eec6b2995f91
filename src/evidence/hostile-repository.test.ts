import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, aRepository, commitAll, git, put } from '../../test/support/a-project.ts';
import { runStepsSync } from './command-steps.ts';
import { lookAtGit } from './git-clean.ts';
import { probeNow } from './quick-probe.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

/** Every look that tireless takes at a repository on its own, without a command from anyone. */
function lookAtAll(cwd: string): void {
  runStepsSync(workspaceFingerprint(cwd));
  runStepsSync(lookAtGit(cwd));
  probeNow({ loop: 'a', cwd, requests: [{ kind: 'workspace' }], inOrder: false });
}

/** A repository with a file that git has to read again, because its time changed. */
function aTouchedRepository(files: Readonly<Record<string, string>> = {}): { cwd: string; marker: string } {
  const cwd = aRepository({ 'a.txt': 'a', '.gitattributes': '*.txt filter=evil diff=evil\n', ...files });
  utimesSync(path.join(cwd, 'a.txt'), 1, 1);
  return { cwd, marker: path.join(aProject(), 'ran') };
}

const marks = (marker: string): string => `touch ${marker}; cat`;

describe('a repository whose configuration names programs', () => {
  it.each(['filter.evil.clean', 'filter.evil.process', 'filter.evil.smudge', 'FILTER.evil.Clean'])(
    'runs none of %s',
    (name) => {
      const { cwd, marker } = aTouchedRepository();
      git(cwd, 'config', name, marks(marker));
      lookAtAll(cwd);
      expect(existsSync(marker)).toBe(false);
    },
  );

  it('runs no filter with a name that is hard to quote, or from an included file', () => {
    const { cwd, marker } = aTouchedRepository({ '.gitattributes': `*.txt filter=it's$(touch\n` });
    put(cwd, { '.git/more': `[filter "it's$(touch"]\n\tclean = ${JSON.stringify(marks(marker))}\n` });
    git(cwd, 'config', 'include.path', 'more');
    lookAtAll(cwd);
    expect(existsSync(marker)).toBe(false);
  });

  it('runs no filter of a linked work tree', () => {
    const { cwd, marker } = aTouchedRepository();
    const linked = path.join(aProject(), 'tree');
    git(cwd, 'worktree', 'add', '-q', linked);
    git(cwd, 'config', 'extensions.worktreeConfig', 'true');
    git(linked, 'config', '--worktree', 'filter.evil.clean', marks(marker));
    utimesSync(path.join(linked, 'a.txt'), 1, 1);
    lookAtAll(linked);
    expect(existsSync(marker)).toBe(false);
  });

  it('runs no hook, monitor, alias, pager, text conversion or transport', () => {
    const { cwd, marker } = aTouchedRepository();
    const hooks = aProject();
    const hook = path.join(hooks, 'post-index-change');
    writeFileSync(hook, `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(hook, 0o755);
    for (const name of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'diff.evil.textconv', 'diff.external'])
      git(cwd, 'config', name, marks(marker));
    git(cwd, 'config', 'core.hooksPath', hooks);
    git(cwd, 'config', 'alias.status', `!touch ${marker}`);
    git(cwd, 'config', 'protocol.ext.allow', 'always');
    git(cwd, 'config', 'remote.origin.url', `ext::sh -c touch% ${marker}`);
    git(cwd, 'config', 'remote.origin.promisor', 'true');
    git(cwd, 'config', 'extensions.partialClone', 'origin');
    lookAtAll(cwd);
    expect(existsSync(marker)).toBe(false);
  });

  it('runs nothing for a repository inside of it either, and still sees what is not committed there', () => {
    const { cwd, marker } = aTouchedRepository();
    const inner = path.join(cwd, 'inner');
    mkdirSync(inner);
    put(inner, { 'b.txt': 'b', '.gitattributes': '*.txt filter=evil\n' });
    git(inner, 'init', '-q');
    commitAll(inner);
    put(cwd, { '.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n' });
    commitAll(cwd);
    const clean = runStepsSync(workspaceFingerprint(cwd));
    git(inner, 'config', 'filter.evil.clean', marks(marker));
    git(inner, 'config', 'core.fsmonitor', `touch ${marker}; false`);
    utimesSync(path.join(inner, 'b.txt'), 1, 1);
    lookAtAll(cwd);
    expect(existsSync(marker)).toBe(false);
    expect(runStepsSync(lookAtGit(cwd))).toMatchObject({ result: 'passed' });

    put(inner, { 'b.txt': 'longer' });
    expect(runStepsSync(lookAtGit(cwd))).toMatchObject({ result: 'failed', detail: 'Not committed:\ninner/b.txt' });
    expect(runStepsSync(workspaceFingerprint(cwd))).not.toBe(clean);
  });
});

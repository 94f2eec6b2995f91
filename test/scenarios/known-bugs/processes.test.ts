import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitAll, git, put } from '../../support/a-project.ts';
import { aUser } from '../../support/run-cli.ts';

const AGENT = ['--agent-command', 'cat >/dev/null; echo x >> kept.txt', '--check', '[ "$(grep -c x kept.txt)" -ge 9 ]'];

describe('a loop in a repository', () => {
  it('stages nothing and commits nothing of its own accord', async () => {
    const user = aUser({ 'kept.txt': 'a\n', 'staged.txt': 'a\n' });
    git(user.project, 'init', '-q');
    commitAll(user.project);
    put(user.project, { 'kept.txt': 'edited by the user\n', 'staged.txt': 'b\n', 'private.env': 'SECRET=1\n' });
    git(user.project, 'add', 'staged.txt');
    const before = [git(user.project, 'rev-parse', 'HEAD'), git(user.project, 'status', '--porcelain')];
    const { code } = await user.tireless(['run', 'goal', ...AGENT, '--criterion', 'docs', '--max-iterations', '3']);
    expect(code).toBe(3);
    expect([git(user.project, 'rev-parse', 'HEAD'), git(user.project, 'status', '--porcelain')]).toEqual(before);
  });
});

describe('a prompt', () => {
  it('stands in no argument and no environment variable of the agent', async () => {
    const goal = 'a goal that nobody else may see';
    const user = aUser();
    const look = 'ps -o args= -p $$ > seen; ps -o args= -p $PPID >> parent; env >> seen; cat > prompt';
    await user.tireless(['run', '--agent-command', look, '--check-exists', 'prompt'], { stdin: goal });
    const read = (file: string) => readFileSync(path.join(user.project, file), 'utf8');
    expect(read('prompt')).toContain(goal);
    expect(read('seen')).toContain('TIRELESS_ITERATION=1');
    expect(read('seen') + read('parent')).not.toContain(goal);
  });
});

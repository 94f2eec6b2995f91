import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import type { HostId } from '../../hosts/ids.ts';
import { ownCommand } from './own-commands.ts';

const OURS = 'The hook of tireless answers this command, with a goal.';

/** A home with a repository in it, and a session in a folder of that repository. */
function aMachine(files: Readonly<Record<string, string>>): { home: string; project: string } {
  const home = aProject(files);
  const project = path.join(home, 'repo/inner');
  mkdirSync(path.join(home, 'repo/.git'), { recursive: true });
  mkdirSync(project, { recursive: true });
  return { home, project };
}

function found(host: HostId, files: Readonly<Record<string, string>>): unknown {
  const { home, project } = aMachine(files);
  const own = ownCommand(host, 'ralph', { home, project, variables: {} });
  return own && [path.relative(home, own.file), own.hiddenBy === null ? 'runs' : 'hidden'];
}

describe('the own command of a user', () => {
  it.each<[HostId, readonly string[], string, string]>([
    ['claude-code', ['.claude/commands/ralph.md'], 'repo/.claude/commands/ralph.md', 'hidden'],
    ['claude-code', ['.claude/commands/ralph.md'], 'repo/inner/.claude/skills/ralph/SKILL.md', 'runs'],
    ['claude-code', ['repo/inner/.claude/commands/ralph.md'], '.claude/skills/ralph/SKILL.md', 'runs'],
    ['qwen', ['.qwen/commands/ralph.md'], '.qwen/commands/ralph.toml', 'hidden'],
    ['qwen', ['.qwen/commands/ralph.md'], 'repo/inner/.qwen/commands/ralph.toml', 'runs'],
    ['codex', ['.codex/skills/ralph/SKILL.md'], 'repo/.agents/skills/ralph/SKILL.md', 'hidden'],
    ['gemini', ['.gemini/commands/ralph.toml'], 'repo/inner/.gemini/commands/ralph.toml', 'hidden'],
    ['opencode', ['.config/opencode/command/ralph.md'], '.config/opencode/commands/ralph.md', 'runs'],
    ['pi', [], '.pi/agent/prompts/ralph.md', 'runs'],
  ])('is found in %s beside ours in %j: %s (%s)', (host, ours, theirs, how) => {
    const files = Object.fromEntries([...ours.map((file) => [file, OURS]), [theirs, 'Sing.']]) as Record<
      string,
      string
    >;
    expect(found(host, files)).toEqual([theirs, how]);
  });

  it('may be an entry of a settings file; one that is broken has none', () => {
    const file = 'repo/inner/opencode.jsonc';
    expect(found('opencode', { [file]: '{ // mine\n "command": { "ralph": { "template": "Sing." } } }' })).toEqual([
      file,
      'runs',
    ]);
    expect(found('opencode', { [file]: '{ "command": { "other": { "template": "Sing." } } }' })).toBeUndefined();
    expect(found('opencode', { [file]: '{ broken' })).toBeUndefined();
  });

  it('is not searched for above the repository, and the home of the user is not a project', () => {
    const { home, project } = aMachine({ 'repo/x': '' });
    expect(ownCommand('codex', 'ralph', { home, project, variables: {} })).toBeUndefined();
    put(home, { '.agents/skills/ralph/SKILL.md': 'Sing.' });
    expect(ownCommand('codex', 'ralph', { home, project, variables: {} })).toMatchObject({ below: 'home' });
    expect(ownCommand('codex', 'ralph', { home: '/nowhere', project, variables: {} })).toBeUndefined();
  });
});

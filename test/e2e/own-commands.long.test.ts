/** A command of the user that has the name of one of ours: the built hook leaves it to them, and `install` gives ours another name. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
import { put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const THEIRS = '---\ndescription: mine\n---\n\nSummarize the week: $ARGUMENTS\n';

async function reply(user: User, host: string, fields: object): Promise<string> {
  const stdin = JSON.stringify({ session_id: 's', cwd: user.project, ...fields });
  const { code, stdout } = await user.tireless(['hook', host], { stdin });
  expect(code).toBe(0);
  return stdout;
}

const expansion = (name: string): object => ({
  hook_event_name: 'UserPromptExpansion',
  expansion_type: 'slash_command',
  command_name: name,
  command_args: 'paint the shed',
});
const prompt = (text: string): object => ({
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
  submitted_prompt: text,
});

function loopsOf({ home }: User): number {
  const store = openFileStore({ home });
  const { length } = store.list({ ended: 'both' });
  store.close();
  return length;
}

describe('the own /ralph of a user', () => {
  it.each([
    ['claude-code', 'project', '.claude/commands/ralph.md', expansion('ralph'), expansion('tireless-ralph')],
    ['claude-code', 'user', '.claude/skills/ralph/SKILL.md', expansion('ralph'), expansion('tireless:ralph')],
    ['qwen', 'user', '.qwen/commands/ralph.md', prompt('/ralph paint'), prompt('/tireless-ralph paint')],
    ['qwen', 'user', '.qwen/commands/ralph.toml', prompt('/ralph paint'), prompt('/tireless-ralph paint')],
    ['codex', 'user', '.agents/skills/ralph/SKILL.md', prompt('$ralph paint'), prompt('$tireless-ralph paint')],
    ['codex', 'user', '.codex/skills/ralph/SKILL.md', prompt('$ralph paint'), prompt('$tireless-ralph paint')],
    ['opencode', 'project', '.opencode/command/ralph.md', prompt('/ralph paint'), prompt('/tireless-ralph paint')],
  ])('stays theirs in %s (%s, %s); ours answers to another name', async (...row) => {
    const [host, where, file, theirs, ours] = row;
    const user = aUser();
    put(where === 'user' ? (user.env['HOME'] ?? '') : user.project, { [file]: THEIRS });
    const silence = await reply(user, host, prompt('hello'));
    expect(await reply(user, host, theirs)).toBe(silence);
    expect(loopsOf(user)).toBe(0);
    expect(await reply(user, host, ours)).toMatch(/tireless[-:]ralph-status/u);
    expect(loopsOf(user)).toBe(1);
  });

  it.each([
    ['claude-code', '.claude/skills/ralph/SKILL.md', '.claude/commands', '.md'],
    ['qwen', '.qwen/commands/ralph.toml', '.qwen/commands', '.md'],
    ['opencode', '.config/opencode/commands/ralph.md', '.config/opencode/command', '.md'],
  ])('is not joined by ours where %s reads it from %s; install and doctor report it', async (host, file, ours, end) => {
    const user = aUser();
    const home = user.env['HOME'] ?? '';
    put(home, { [file]: THEIRS });
    const fix = `tireless install ${host} --yes (adds /tireless-ralph)`;
    expect((await user.tireless(['doctor', host])).stdout).toContain(fix);
    const { stdout } = await user.tireless(['install', host, '--yes']);
    expect(stdout).toContain(
      `/ralph is your own command (${path.join(home, file)}) and stays yours. Ours is called /tir`,
    );
    const folder = path.join(home, ours);
    expect([`ralph${end}`, `tireless-ralph${end}`].map((name) => existsSync(path.join(folder, name)))).toEqual([
      false,
      true,
    ]);
    const after = (await user.tireless(['doctor', host])).stdout;
    expect(after).toMatch(/note +commands +\/ralph is your own command/u);
    expect(after).not.toContain(fix);
  });

  it('is freed again where ours of an earlier install stands beside it', async () => {
    const user = aUser();
    const home = user.env['HOME'] ?? '';
    await user.tireless(['install', 'qwen', '--yes']);
    put(home, { '.qwen/commands/ralph.toml': 'prompt = "Sing: {{args}}"\n' });
    expect((await user.tireless(['doctor', 'qwen'])).stdout).toContain('fix: tireless install qwen --yes (adds /tir');
    expect((await user.tireless(['install', 'qwen', '--yes'])).stdout).toContain('commands/ralph.md (removed)');
    expect(existsSync(path.join(home, '.qwen/commands/ralph.md'))).toBe(false);
  });

  it('is handed to the agent where the project has it and Claude Code expands ours of the user instead', async () => {
    const user = aUser();
    const file = path.join(user.project, '.claude/commands/ralph.md');
    await user.tireless(['install', 'claude-code', '--yes']);
    put(user.project, { '.claude/commands/ralph.md': THEIRS });
    const before = await reply(user, 'claude-code', expansion('ralph'));
    expect(before).toContain('Summarize the week: paint the shed');
    expect(before).toContain(`/ralph is your own command here (${file})`);
    expect(before).toContain('Ours is called /tireless-ralph once you have run');
    expect(loopsOf(user)).toBe(0);
    expect((await user.tireless(['doctor', 'claude-code'])).stdout).toContain('(adds /tireless-ralph)');
    const { stdout } = await user.tireless(['install', 'claude-code', '--yes']);
    expect(stdout).toContain(
      `/ralph is this project's own command (${file}) and stays yours. Ours is called /tireless-r`,
    );
    expect(await reply(user, 'claude-code', expansion('ralph'))).toMatch(/Ours is called \/tireless-ralph"/u);
    const after = (await user.tireless(['doctor', 'claude-code'])).stdout;
    expect(after).toMatch(/note +commands +\/ralph is your own command .* the agent gets its text/u);
    // An install from elsewhere leaves the other names alone.
    const elsewhere = await user.tireless(['install', 'claude-code', '--yes'], { cwd: user.env['HOME'] ?? '' });
    expect(elsewhere.stdout).toContain('Nothing to change');
  });

  it('is none where the file is ours, and a command of another plugin is not ours', async () => {
    const user = aUser();
    expect((await user.tireless(['install', 'claude-code', '--yes'])).code).toBe(0);
    expect(await reply(user, 'claude-code', expansion('ralph-loop:cancel-ralph'))).toBe('{}\n');
    expect(await reply(user, 'claude-code', expansion('ralph'))).toContain('/ralph-status');
    expect(loopsOf(user)).toBe(1);
  });

  it('is left alone by install, which adds ours under another name; doctor reports both', async () => {
    const user = aUser();
    const home = user.env['HOME'] ?? '';
    const folder = path.join(home, '.claude/commands');
    put(home, { '.claude/commands/ralph.md': THEIRS });
    const before = await user.tireless(['doctor', 'claude-code']);
    expect(before.stdout).toContain('tireless install claude-code --yes (adds /tireless-ralph)');
    const { stdout } = await user.tireless(['install', 'claude-code', '--yes']);
    expect(stdout).toContain('Ours is called /tireless-ralph; rename yours');
    expect(readFileSync(path.join(folder, 'ralph.md'), 'utf8')).toBe(THEIRS);
    expect(readFileSync(path.join(folder, 'tireless-ralph.md'), 'utf8')).toContain('(tireless)');
    const after = await user.tireless(['doctor', 'claude-code']);
    expect(after.stdout).toMatch(/note +commands +\/ralph is your own command .*ours is called \/tireless-ralph/u);
    await user.tireless(['uninstall', 'claude-code', '--yes']);
    expect(existsSync(path.join(folder, 'tireless-ralph.md'))).toBe(false);
    expect(readFileSync(path.join(folder, 'ralph.md'), 'utf8')).toBe(THEIRS);
  });
});

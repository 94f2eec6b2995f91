import { describe, expect, it } from 'vitest';
import { HOSTS } from './hosts.ts';
import { commandIn, commandPrefix } from './typed-command.ts';

describe('a typed command', () => {
  it('is one of ours by its name, however the host spells what stands before it', () => {
    const args = '"it\'s `broken` $(rm -rf ~)\n\t🧨"';
    const command = { kind: 'command-typed', command: 'ralph', args };
    expect(commandIn(`/ralph ${args}`)).toEqual(command);
    expect(commandIn(` /ralph\n${args}`)).toEqual(command);
    expect(commandIn(`/tireless:ralph ${args}`)).toEqual({ ...command, prefix: '/tireless:' });
    expect(commandIn(`$ralph ${args}`)).toEqual({ ...command, prefix: '$' });
    expect(commandIn(`$tireless:ralph ${args}`)).toEqual({ ...command, prefix: '$tireless:' });
  });

  it('keeps what stands after it byte for byte, but for one space', () => {
    expect(commandIn('$ralph-status')).toMatchObject({ command: 'ralph-status', args: '' });
    expect(commandIn('$ralph  two spaces ')).toMatchObject({ command: 'ralph', args: ' two spaces ' });
  });

  it('is nothing else: not a name that only begins like ours, not a plugin of others, not in the middle', () => {
    for (const prompt of ['$ralphs x', '/ralph-loop x', '/other:ralph x', '$PATH', 'say /ralph x', 'ralph x', '$', ''])
      expect(commandIn(prompt)).toBeUndefined();
  });

  it('is named to the user as the host wants it', () => {
    const plugged = { CLAUDE_PLUGIN_ROOT: '/x' };
    expect(commandPrefix(HOSTS['claude-code'].capabilities, {})).toBe('/');
    expect(commandPrefix(HOSTS['claude-code'].capabilities, plugged)).toBe('/tireless:');
    expect(commandPrefix(HOSTS.codex.capabilities, plugged)).toBe('$');
    expect(commandPrefix(HOSTS.gemini.capabilities, {})).toBe('/');
  });
});

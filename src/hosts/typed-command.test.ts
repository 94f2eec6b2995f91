import { describe, expect, it } from 'vitest';
import { markdownCommands } from './command-files.ts';
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

  it('is told apart from what the file of the command says behind it', () => {
    for (const args of ['"a\n\ngoal" --check x ', '']) {
      const said = (name: string): string => {
        const edit = markdownCommands('/c', '{{args}}').find(({ file }) => file === `/c/${name}.md`);
        return edit?.kind === 'own-file' ? (edit.text.split('---\n\n')[1] ?? '').replace('{{args}}', args) : '';
      };
      expect(said('ralph')).toContain('the hook did not run');
      expect(commandIn(said('ralph'))).toEqual({ kind: 'command-typed', command: 'ralph', args });
      expect(commandIn(said('ralph-help').trimEnd())).toMatchObject({ command: 'ralph-help', args });
    }
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

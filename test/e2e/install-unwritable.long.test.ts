/** Files that cannot be written, or are not to be. */
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aPerson, everything } from '../support/install-suite.ts';

describe('install', () => {
  it('sets an agent up whole or not at all', async () => {
    // In the place of a folder stands a file: nobody can write below it, whoever they are.
    const person = aPerson({ '.claude/settings.json': '{}\n', '.claude/commands': 'a file' });
    const before = everything(person.home);
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/STORE_UN(?:READABLE|WRITABLE): .*\.claude\/commands/u)]);
    expect(everything(person.home)).toEqual(before);
  });

  it.skipIf(process.getuid?.() === 0)('reports when a folder is read-only, and leaves it as it was', async () => {
    const person = aPerson({ '.claude/settings.json': '{}\n' });
    chmodSync(path.join(person.home, '.claude'), 0o555);
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes']);
    chmodSync(path.join(person.home, '.claude'), 0o755);
    expect([code, stderr]).toEqual([1, expect.stringContaining('STORE_UNWRITABLE')]);
    expect(person.read('.claude/settings.json')).toBe('{}\n');
  });

  it('reports when the file system takes no writing at all', async () => {
    const person = aPerson();
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes'], { HOME: '/proc/self' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('STORE_UNWRITABLE: Cannot write /proc/self/.claude')]);
    expect((await person.tireless(['uninstall'])).stdout).toContain('Nothing to remove');
  });

  it('says which agents are set up and which are not when one of them cannot be', async () => {
    const person = aPerson();
    const args = ['install', 'claude-code', 'gemini', 'qwen', '--yes'];
    const { code, stdout, stderr } = await person.tireless(args, { GEMINI_CLI_HOME: '/proc/self' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('STORE_UNWRITABLE: Cannot write /proc/self/.gemini')]);
    expect(stderr).toContain(
      'Already installed: claude-code. Not installed, and unchanged: gemini, qwen. Run the same',
    );
    expect(stderr).toContain('to continue without gemini, name only: qwen.');
    expect(stdout).toContain('Installed for claude-code.\n  claude-code: ');
    expect(readdirSync(person.home)).toEqual(['.claude']);
    const { stdout: all } = await person.tireless([...args, 'codex', '--trust']);
    expect(all).toContain('Installed for claude-code, gemini, qwen, codex.');
    // What to type next, in the words of each agent.
    expect(all).toContain('  Claude Code:  /ralph "make the tests pass" --check "npm test"\n');
    expect(all).toMatch(/^ {2}Codex[^:]*: {2}\$ralph "make the tests pass"/mu);
    expect(all).toContain('  tireless doctor claude-code gemini qwen codex\n');
  });

  it.skipIf(process.getuid?.() === 0)(
    'takes the hooks out and reports it though its own note cannot be removed',
    async () => {
      const person = aPerson({ '.claude/settings.json': '{}\n' });
      await person.tireless(['install', 'claude-code', '--yes']);
      const notes = path.join(person.kept, 'installed');
      chmodSync(notes, 0o555);
      const { code, stdout, stderr } = await person.tireless(['uninstall']);
      chmodSync(notes, 0o755);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`STORE_UNWRITABLE: Cannot write ${notes}`)]);
      expect(stdout).toContain('.claude/settings.json (restored, byte for byte)');
      expect(person.read('.claude/settings.json')).toBe('{}\n');
      expect((await person.tireless(['uninstall'])).code).toBe(0);
      expect(readdirSync(notes)).toEqual([]);
    },
  );

  it('says what is taken out and what is not when a file cannot be written, and leaves that agent as it was', async () => {
    const large = `{ "ui": "${'x'.repeat(200_000)}" }\n`;
    const person = aPerson({ '.gemini/settings.json': large });
    await person.tireless(['install', 'claude-code', 'gemini', 'qwen', '--yes']);
    const installed = everything(path.join(person.home, '.gemini'));
    const { code, stdout, stderr } = await person.starts(['uninstall'], { after: 'ulimit -f 64' }).end;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write ${person.home}/.gemini/settings.json`)]);
    expect(stderr).toContain('Already removed: claude-code for your user. Not removed, and unchanged: gemini for');
    expect(stdout).toMatch(/^claude-code, for your user:\n(?: .*\n)+$/u);
    expect(everything(path.join(person.home, '.gemini'))).toEqual(installed);
    expect((await person.tireless(['uninstall'])).code).toBe(0);
    expect(everything(person.home)).toEqual({ '.gemini': 'folder', '.gemini/settings.json': large });
  });

  it('takes nothing out of any agent when a settings file is broken', async () => {
    const person = aPerson();
    await person.tireless(['install', 'claude-code', 'gemini', '--yes']);
    put(person.home, { '.gemini/settings.json': '{ "hooks": ' });
    const before = everything(person.home);
    const { code, stderr } = await person.tireless(['uninstall']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/SETTINGS_INVALID: .*nothing was written\.$/mu)]);
    expect(everything(person.home)).toEqual(before);
  });

  it.each(['claude-code', 'codex'] as const)('never changes a file of %s that is read-only', async (host) => {
    const name = host === 'codex' ? '.codex/config.toml' : '.claude/settings.json';
    const person = aPerson({ [name]: host === 'codex' ? 'model = "o"\n' : '{}\n', '.gemini/a': '' });
    const file = path.join(person.home, name);
    const install = ['install', 'gemini', host, '--trust', '--yes'];
    const refused = async (args: readonly string[]): Promise<void> => {
      const before = everything(person.home);
      chmodSync(file, 0o444);
      const { code, stderr } = await person.tireless(args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`SETTINGS_INVALID: Cannot change ${file}: it is read-only`),
      ]);
      expect([everything(person.home), statSync(file).mode & 0o777]).toEqual([before, 0o444]);
      chmodSync(file, 0o644);
    };
    await refused(install);
    expect((await person.tireless(install)).code).toBe(0);
    await refused(['uninstall']);
    chmodSync(file, 0o444);
    expect((await person.tireless(install)).stdout).toContain('Nothing to change');
    rmSync(path.join(person.kept, 'installed'), { recursive: true });
    await refused(['uninstall', host]);
    expect((await person.tireless(['uninstall', host])).code).toBe(0);
    expect(JSON.stringify(everything(path.dirname(file)))).not.toContain('tireless');
  });

  it('asks nothing of a read-only file in which there is nothing of it', async () => {
    const person = aPerson({ '.codex/hooks.json': '{}' });
    chmodSync(path.join(person.home, '.codex/hooks.json'), 0o444);
    const { code, stdout } = await person.tireless(['uninstall', 'codex']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to remove')]);
  });

  it('replaces and removes files of its own, whatever their mode', async () => {
    const person = aPerson();
    const file = path.join(person.home, '.claude/commands/ralph.md');
    await person.tireless(['install', 'claude-code', '--yes']);
    chmodSync(file, 0o444);
    expect((await person.tireless(['uninstall'])).code).toBe(0);
    expect(everything(person.home)).toEqual({});
  });
});

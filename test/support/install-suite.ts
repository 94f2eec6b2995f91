import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { aProject, put } from './a-project.ts';
import { aUser } from './run-cli.ts';

/** The settings that each host has before, with odd indentation and, if the host reads them, comments; and where its stop hook is afterwards. */
export const HOSTS: Readonly<Record<HostId, { settings: string; text: string; stop: string }>> = {
  'claude-code': { settings: '.claude/settings.json', text: '{\n\t"model": "opus"}', stop: '"Stop"' },
  codex: { settings: '.codex/hooks.json', text: '{"hooks":{"Stop":[]}}', stop: '"Stop"' },
  gemini: { settings: '.gemini/settings.json', text: '\uFEFF{\r\n   "ui": {}\r\n}\r\n', stop: '"AfterAgent"' },
  qwen: { settings: '.qwen/settings.json', text: '{ "stopHookBlockingCap": 3 }\n', stop: '"Stop"' },
  copilot: { settings: '.copilot/settings.json', text: '{}', stop: '"Stop"' },
  opencode: { settings: '.config/opencode/opencode.json', text: '{}\n', stop: 'plugin.server' },
  pi: { settings: '.pi/agent/settings.json', text: '{}\n', stop: 'plugin(pi' },
  droid: { settings: '.factory/settings.json', text: '{\n    /* mine */\n    "hooks": {}\n}\n', stop: '"Stop"' },
};

/** A user with settings of their own. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- The type is inferred from what it returns.
export function aPerson(files: Readonly<Record<string, string>> = {}, folder = 'ada') {
  const user = aUser();
  const home = path.join(aProject(), folder);
  mkdirSync(home);
  put(home, files);
  const env = { HOME: home, PATH: '' };
  const tireless = (args: readonly string[], more: Record<string, string> = {}, cwd = user.project) =>
    user.tireless(args, { env: { ...env, ...more }, cwd });
  return {
    ...user,
    kept: user.home,
    home,
    tireless,
    read: (file: string) => readFileSync(path.join(home, file), 'utf8'),
  };
}

/** Every file below a folder, with its bytes. */
export function everything(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => [path.join(entry.parentPath, entry.name), entry.isFile()] as const)
      .map(([name, isFile]) => [path.relative(folder, name), isFile ? readFileSync(name, 'latin1') : 'folder']),
  );
}

/** The script that the hooks of a host read. */
export function guardOf(kept: string, host: string): string {
  return path.join(kept, `hooks/${host}.sh`);
}

export function changeGuard(kept: string, host: string, change: (text: string) => string): void {
  const file = guardOf(kept, host);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** What must be true for the setup of every host. */
export function installSuite(hosts: readonly HostId[]): void {
  describe.each(hosts)('install %s', (host) => {
    const { settings, text, stop } = HOSTS[host];

    it('shows the plan, writes it once, and uninstall brings every byte back', async () => {
      const person = aPerson({ [settings]: text }, "o'neill and co");
      const before = everything(person.home);
      const shown = await person.tireless(['install', host]);
      expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('Add --yes to continue')]);
      expect(shown.stdout).toContain(`${host}, for your user:`);
      expect(shown.stdout).toContain('calls tireless before the agent stops');
      expect(everything(person.home)).toEqual(before);

      expect((await person.tireless(['install', host, '--yes'])).code).toBe(0);
      const installed = everything(person.home);
      expect(Object.values(installed).join('\n')).toContain(stop);
      const again = await person.tireless(['install', host, '--yes']);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Nothing to change')]);
      expect(everything(person.home)).toEqual(installed);

      const gone = await person.tireless(['uninstall', host]);
      expect([gone.code, gone.stderr]).toEqual([0, '']);
      expect(everything(person.home)).toEqual(before);
      expect(readdirSync(path.join(person.kept, 'installed'))).toEqual([]);
    });

    it('leaves nothing behind in a project where there was nothing', async () => {
      const person = aPerson();
      expect((await person.tireless(['install', host, '--project', '--yes'])).code).toBe(0);
      expect(Object.keys(everything(person.project)).length).toBeGreaterThan(0);
      expect(everything(person.home)).toEqual({});
      expect((await person.tireless(['uninstall', host, '--project'])).code).toBe(0);
      expect(everything(person.project)).toEqual({});
    });
  });
}

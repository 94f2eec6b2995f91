/** What an older version installed: it is replaced by the same command, and removed by `uninstall`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/system/ids.ts';
import { put } from '../support/a-project.ts';
import { aPerson, everything, guardOf } from '../support/install-suite.ts';

/** What a version wrote that had no script yet: everything stood in one line of the settings. */
function longForm(host: 'claude-code' | 'codex' | 'copilot', kept: string): string {
  const file = path.join(import.meta.dirname, `../fixtures/long-form/${host}-user.json`);
  return readFileSync(file, 'utf8').replaceAll('@KEPT@', kept);
}

/** And what it noted about that. */
function oldNote(text: string): { readonly written: string; readonly puts: readonly unknown[] } {
  const { hooks, env = {} } = JSON.parse(text) as { hooks: Record<string, unknown[]>; env?: Record<string, string> };
  const appended = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map((value) => ({ path: ['hooks', event], value, how: 'append', depth: 0, before: null })),
  );
  const set = Object.entries(env).map(([name, value]) => ({
    path: ['env', name],
    value,
    how: 'set',
    depth: 0,
    before: null,
  }));
  return { written: sha256(text), puts: [...set, ...appended] };
}

describe('install over an older version', () => {
  it('replaces what another version wrote, and finds it by its text when the record is lost', async () => {
    const person = aPerson({ '.claude/settings.json': '{\n  "model": "opus"\n}\n' });
    await person.tireless(['install', 'claude-code', '--yes']);
    const file = path.join(person.home, '.claude/settings.json');
    const now = readFileSync(file, 'utf8');
    const old = JSON.parse(longForm('claude-code', person.kept)) as object;
    writeFileSync(file, `${JSON.stringify({ model: 'opus', ...old }, undefined, 2)}\n`);
    rmSync(path.join(person.kept, 'installed'), { recursive: true });
    expect((await person.tireless(['install', 'claude-code', '--yes'])).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(now));

    rmSync(path.join(person.kept, 'installed'), { recursive: true });
    const { stdout } = await person.tireless(['uninstall', 'claude-code']);
    expect(stdout).toContain('there is no record of an install');
    expect(person.read('.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
    expect(existsSync(path.join(person.home, '.claude/commands/ralph.md'))).toBe(false);
  });

  it.each([
    ['claude-code', '.claude/settings.json'],
    ['codex', '.codex/hooks.json'],
    ['copilot', '.copilot/hooks/tireless.json'],
  ] as const)('upgrades what an older version put into one line of %s, and can take it out', async (host, file) => {
    const person = aPerson();
    await person.tireless(['install', host, '--yes']);
    const now = everything(person.home);
    const script = readFileSync(guardOf(person.kept, host), 'utf8');
    const downgrade = (): void => {
      const text = longForm(host, person.kept);
      put(person.home, { [file]: text });
      rmSync(path.join(person.kept, 'hooks'), { recursive: true });
      const noted = path.join(person.kept, `installed/${host}-user.json`);
      const record = JSON.parse(readFileSync(noted, 'utf8')) as { files: { file: string; isGuard?: true }[] };
      const files = record.files
        .filter(({ isGuard }) => isGuard !== true)
        .map((each) => (each.file.endsWith(file) ? { ...each, ...oldNote(text) } : each));
      writeFileSync(noted, JSON.stringify({ ...record, files }));
    };
    downgrade();
    expect((await person.tireless(['install', host, '--yes'])).code).toBe(0);
    expect(everything(person.home)).toEqual(now);
    expect(readFileSync(guardOf(person.kept, host), 'utf8')).toBe(script);
    downgrade();
    await person.tireless(['uninstall']);
    expect(everything(person.home)).toEqual({});
  });

  it('keeps the script that two installs share until the last of them goes, and renews one that was changed', async () => {
    const person = aPerson();
    await person.tireless(['install', 'claude-code', '--yes']);
    await person.tireless(['install', 'claude-code', '--project', '--yes']);
    const script = guardOf(person.kept, 'claude-code');
    const text = readFileSync(script, 'utf8');
    await person.tireless(['uninstall', '--user']);
    expect(readFileSync(script, 'utf8')).toBe(text);
    writeFileSync(script, 'exit 0\n');
    await person.tireless(['install', 'claude-code', '--project', '--yes']);
    expect(readFileSync(script, 'utf8')).toBe(text);
    await person.tireless(['install', 'claude-code', '--yes']);
    await person.tireless(['uninstall']);
    expect(existsSync(path.join(person.kept, 'hooks'))).toBe(false);
    expect([everything(person.home), everything(person.project)]).toEqual([{}, {}]);
  });

  it.each([
    ['opencode', '.config/opencode/plugin/tireless.js'],
    ['pi', '.pi/agent/extensions/tireless.ts'],
    ['copilot', '.copilot/hooks/tireless.json'],
  ])('knows the file it gave to %s in another version, also when the record is lost', async (host, file) => {
    const person = aPerson();
    const old = async (): Promise<void> => {
      await person.tireless(['install', host, '--yes']);
      rmSync(path.join(person.kept, 'installed'), { recursive: true });
      const text = person.read(file).replaceAll('hook.cjs', 'old/hook.cjs');
      put(person.home, { [file]: host === 'copilot' ? longForm(host, person.kept) : text });
    };
    await old();
    await person.tireless(['install', host, '--yes']);
    expect(person.read(file)).not.toMatch(/old\/(?:dist\/)?hook\.cjs/u);
    await old();
    await person.tireless(['uninstall', host]);
    expect(existsSync(path.join(person.home, file))).toBe(false);
  });
});

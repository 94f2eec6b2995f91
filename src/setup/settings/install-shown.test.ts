/** What a user sees of an install. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../../../test/support/a-project.ts';
import { aPipe, aTalk } from '../../../test/support/a-talk.ts';
import { install } from '../../cli/commands/install.ts';
import { uninstall } from '../../cli/commands/uninstall.ts';

describe('what is shown before it is written', () => {
  it('is the exact diff of each file, with colours only at a terminal', async () => {
    const files = { '.gemini/settings.json': '{\r\n\t// mine\r\n\t"ui": {}\r\n}\r\n' };
    const [piped, atTerminal] = [aPipe(), aTalk()];
    for (const { home } of [piped, atTerminal]) put(home, files);
    for (const { world } of [piped, atTerminal]) expect(await install.call(['gemini', '--dry-run'], world)).toBe(0);
    const file = path.join(piped.home, '.gemini/settings.json');
    expect(piped.said()).toContain(`--- ${file}\n+++ ${file}\n@@ -1,4 +1,`);
    expect(piped.said()).toContain(' \t// mine\n-\t"ui": {}\n+\t"ui": {},\n+\t"hooks": {\n');
    expect(piped.said()).toMatch(
      /\+\t+"command": "on=own tireless=\S+\/hooks\/gemini\.sh; \[ -r \$tireless \] && \. \$tireless; exec cat >\/dev\/null",\n/u,
    );
    expect(piped.said()).toContain('--- /dev/null\n+++ ');
    expect(piped.said()).toContain('+# What the hooks of Gemini CLI run.');
    expect(piped.said()).not.toContain('\u001B[');
    expect(atTerminal.said()).toContain('\u001B[32m+\t"hooks": {\u001B[39m');
    expect(readFileSync(file, 'utf8')).toBe(files['.gemini/settings.json']);
  });

  it('has no diff of what stays as it is', async () => {
    const { world, said } = aPipe();
    await install.call(['codex', '--yes'], world);
    const before = said().length;
    await install.call(['codex', '--yes'], world);
    expect(said().slice(before)).not.toContain('+++');
    expect(said().slice(before)).toContain('Nothing to change');
  });

  it('is one JSON object with --json, which asks nothing', async () => {
    const { world, said, home } = aPipe();
    await expect(install.call(['codex', '--json'], world)).rejects.toMatchObject({ code: 'USAGE' });
    expect(await install.call(['codex', '--json', '--dry-run'], world)).toBe(0);
    expect(existsSync(path.join(home, '.codex'))).toBe(false);
    const dry = JSON.parse(said()) as { installs: { written: boolean; files: { file: string; diff: string }[] }[] };
    expect(dry.installs).toMatchObject([{ host: 'codex', scope: 'user', project: null, written: false }]);
    expect(dry.installs[0]?.files.find(({ file }) => file.endsWith('hooks.json'))?.diff).toContain('+    "Stop": [');
    expect(await install.call(['codex', '--json', '--yes'], world)).toBe(0);
    expect(JSON.parse(said().split('\n')[1] ?? '')).toMatchObject({ installs: [{ written: true }] });
    expect(existsSync(path.join(home, '.codex/hooks.json'))).toBe(true);
  });

  it('says that an agent is not there', async () => {
    const { world, said } = aPipe();
    await install.call(['claude-code', '--dry-run'], world);
    expect(said()).toContain('note: Claude Code is not installed, or not on your PATH (no program "claude")');
  });
});

describe('uninstall --dialect', () => {
  it('takes out one dialect, and with the last one the rest', async () => {
    const { world, said, project } = aPipe();
    const local = path.join(project, '.claude/settings.local.json');
    for (const dialect of ['stravinsky', 'athena'])
      await install.call(['claude-code', '--dialect', dialect, '--yes'], world);
    expect(await uninstall.call(['--dialect', 'stravinsky', '--dry-run'], world)).toBe(0);
    expect(readFileSync(local, 'utf8')).toContain('on=stravinsky ');
    expect(await uninstall.call(['--dialect', 'stravinsky'], world)).toBe(0);
    expect(readFileSync(local, 'utf8')).not.toContain('on=stravinsky');
    expect(readFileSync(local, 'utf8')).toContain('on=athena ');
    await uninstall.call(['claude-code', '--dialect', 'stravinsky'], world);
    expect(said()).toContain('Nothing to remove: stravinsky is not enabled in this project.');
    await uninstall.call(['claude-code', '--dialect', 'athena'], world);
    expect(existsSync(path.join(project, '.claude'))).toBe(false);
    expect(existsSync(path.join(world.services.home(), 'hooks'))).toBe(false);
    await expect(uninstall.call(['--dialect', 'nope'], world)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('leaves loops of tireless in the project as they are', async () => {
    const { world, project } = aPipe();
    await install.call(['claude-code', '--project', '--yes'], world);
    const before = readFileSync(path.join(project, '.claude/settings.local.json'), 'utf8');
    await install.call(['claude-code', '--dialect', 'athena', '--yes'], world);
    await uninstall.call(['--dialect', 'athena'], world);
    expect(readFileSync(path.join(project, '.claude/settings.local.json'), 'utf8')).toBe(before);
  });
});

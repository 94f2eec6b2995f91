/** `tireless doctor` without real clients: what it sees by looking. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../support/a-project.ts';
import { changeGuard, guardOf } from '../support/install-suite.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Found = { readonly about: string; readonly status: string; readonly text: string; readonly fix?: string };

type Fixture = {
  readonly user: User;
  /** HOME of the user. */
  readonly folder: string;
  readonly run: (...args: readonly string[]) => ReturnType<User['tireless']>;
  readonly problems: (...args: readonly string[]) => Promise<readonly Found[]>;
};

/** A user with programs that only tell their version, or do what `script` says. */
function aFixture(script = 'echo 2.1.325'): Fixture {
  const user = aUser();
  const folder = aProject();
  for (const name of ['claude', 'codex', 'qwen', 'gemini', 'droid']) {
    put(folder, { [`bin/${name}`]: `#!/bin/sh\n${script}\n` });
    chmodSync(path.join(folder, 'bin', name), 0o755);
  }
  const env = { HOME: folder, PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` };
  const run: Fixture['run'] = (...args) => user.tireless(args, { env });
  return {
    user,
    folder,
    run,
    problems: async (...args) => {
      const { code, stdout, stderr } = await run('doctor', ...args, '--no-start', '--json');
      expect(stderr).toBe('');
      const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: readonly Found[] };
      const found = findings.filter(({ status }) => status === 'problem');
      expect({ ok, code }).toEqual({ ok: found.length === 0, code: found.length === 0 ? 0 : 1 });
      expect(found.every(({ fix }) => fix !== undefined && fix !== '')).toBe(true);
      return found;
    },
  };
}

async function install({ run }: Fixture, ...words: readonly string[]): Promise<void> {
  const { code, stderr } = await run('install', ...words, '--yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

function change(fixture: Fixture, file: string, edit: (text: string) => string): void {
  const full = path.join(fixture.folder, file);
  writeFileSync(full, edit(readFileSync(full, 'utf8')));
}

describe('tireless doctor', () => {
  it('finds nothing wrong with what "tireless install" wrote, and reports it in words too', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code', 'qwen');
    await install(fixture, 'codex', '--trust');
    expect(await fixture.problems('claude-code', 'codex', 'qwen')).toEqual([]);
    const { code, stdout } = await fixture.run('doctor', 'claude-code', '--no-start');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}ok +program +2\.1\.325 \(.*\/claude\)$/mu);
    expect(stdout).toMatch(/^No problems found\.$/mu);
  });

  it('says what to do where nothing is installed, or no program is there', async () => {
    const fixture = aFixture();
    expect(await fixture.problems('claude-code')).toMatchObject([
      { about: 'installed', fix: 'tireless install claude-code --yes' },
    ]);
    rmSync(path.join(fixture.folder, 'bin/claude'));
    expect((await fixture.problems('claude-code'))[0]).toMatchObject({ about: 'program' });
  });

  it('sees a Node that is gone, a short timeout and a low cap', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code');
    change(fixture, '.claude/settings.json', (text) =>
      text.replaceAll('"timeout": 600', '"timeout": 5').replace('"10000"', '"4"'),
    );
    changeGuard(fixture.user.home, 'claude-code', (text) => text.replaceAll(process.execPath, '/opt/old/node'));
    expect(await fixture.problems('claude-code')).toMatchObject([
      { about: 'installed', text: expect.stringMatching(/hooks\/claude-code\.sh was changed since$/u) as string },
      { about: 'paths', text: expect.stringContaining('/opt/old/node') as string },
      { about: 'timeout', text: expect.stringContaining('only 5 s') as string },
      { about: 'cap', text: expect.stringContaining('after 4 replies') as string },
    ]);
    await install(fixture, 'claude-code');
    expect((await fixture.problems('claude-code')).map(({ about }) => about)).toEqual([]);
    rmSync(guardOf(fixture.user.home, 'claude-code'));
    expect(await fixture.problems('claude-code')).toMatchObject([
      { about: 'installed', text: expect.stringMatching(/hooks\/claude-code\.sh is gone$/u) as string },
    ]);
  });

  it('sees a cap that a stronger file lowers, hooks that are switched off, and the official plugin', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code');
    put(fixture.user.project, {
      '.claude/settings.json': JSON.stringify({ env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3' }, disableAllHooks: true }),
    });
    change(fixture, '.claude/settings.json', (text) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        enabledPlugins: { 'ralph-loop@claude-plugins-official': true },
      }),
    );
    expect(await fixture.problems('claude-code')).toMatchObject([
      { about: 'cap', text: expect.stringContaining('after 3 replies') as string },
      { about: 'hooks-off' },
      { about: 'conflict', fix: 'claude plugin disable ralph-loop@claude-plugins-official' },
    ]);
  });

  it('sees a goal of the host itself that was set in the session of a loop', async () => {
    const fixture = aFixture();
    await install(fixture, 'codex', '--trust');
    await fixture.run('start', 'paint the shed', '--session', '01a1-e258', '--host', 'codex', '--check', 'false');
    expect(await fixture.problems('codex')).toEqual([]);
    const goal = { payload: { type: 'thread_goal_updated', goal: { status: 'active' } } };
    put(fixture.folder, {
      '.codex/sessions/2026/11/16/rollout-2026-11-16T02-00-00-01a1-e258.jsonl': `${JSON.stringify(goal)}\n`,
    });
    expect(await fixture.problems('codex')).toMatchObject([
      { about: 'conflict', fix: expect.stringContaining('/goal clear') as string },
    ]);
  });

  it('sees a goal of the host itself in the session that it was called in, without any loop', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code');
    const goal = { type: 'attachment', attachment: { type: 'goal_status', met: false, sentinel: true } };
    put(fixture.folder, { '.claude/projects/-p/s-1.jsonl': `${JSON.stringify(goal)}\n` });
    expect(await fixture.problems('claude-code')).toEqual([]);
    const inside = { env: { HOME: fixture.folder, CLAUDE_CODE_SESSION_ID: 's-1' } };
    const { stdout } = await fixture.user.tireless(['doctor', 'claude-code', '--no-start'], inside);
    expect(stdout).toMatch(/problem +conflict +a goal of Claude Code itself \(\/goal\) keeps this session going/u);
    expect(stdout).toMatch(/fix: type "\/goal clear"/u);
  });

  it('sees the loops of other tools in the state files of the project, until they end or are answered for', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code');
    const file = '.claude/ralph-loop.local.md';
    const loop = (active: boolean): string =>
      `---\nactive: ${active}\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\n---\n\nmake it\n`;
    put(fixture.user.project, { [file]: loop(true), '.stravinsky/continuation-loop.md': loop(true) });
    const plugin = {
      host: 'claude-code',
      about: 'conflict',
      text: expect.stringContaining(file) as string,
      fix: `delete ${file}, or let tireless keep it going: tireless install claude-code --dialect ralph-loop --yes`,
    };
    const other = { host: null, about: 'conflict', text: expect.stringContaining('of stravinsky') as string };
    expect(await fixture.problems('claude-code')).toMatchObject([other, plugin]);
    // No other host reads the file of that plugin.
    await install(fixture, 'qwen');
    expect(await fixture.problems('qwen')).toMatchObject([other]);
    put(fixture.user.project, { [file]: loop(false) });
    await install(fixture, 'claude-code', '--dialect', 'stravinsky');
    expect(await fixture.problems('claude-code')).toEqual([]);
  });

  it('sees entries that were removed, and settings that nobody can read', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code');
    change(fixture, '.claude/settings.json', () => '{}');
    expect((await fixture.problems('claude-code'))[0]).toMatchObject({
      about: 'installed',
      text: expect.stringContaining('hooks are missing') as string,
    });
    change(fixture, '.claude/settings.json', () => '{ not JSON');
    expect(await fixture.problems('claude-code')).toMatchObject([
      { about: 'installed', fix: expect.any(String) as string },
    ]);
  });

  it('sees hooks of Codex that nobody trusts, or that were changed since', async () => {
    const fixture = aFixture();
    await install(fixture, 'codex');
    expect(await fixture.problems('codex')).toMatchObject([
      { about: 'trust', fix: expect.stringContaining('tireless install codex --trust --yes') as string },
    ]);
    await install(fixture, 'codex', '--trust');
    expect(await fixture.problems('codex')).toEqual([]);
    change(fixture, '.codex/hooks.json', (text) => text.replace('"timeout": 600', '"timeout": 599'));
    expect(await fixture.problems('codex')).toMatchObject([{ about: 'trust' }]);
  });

  it('knows a trust that Codex wrote in words of its own, and not one that only stands in a comment', async () => {
    const fixture = aFixture();
    await install(fixture, 'codex', '--trust');
    // So it quotes a path with backslashes.
    change(fixture, '.codex/config.toml', (text) =>
      text.replaceAll(/^(\[hooks\.state\.)"(.*)"\]$/gmu, "$1'$2'] # mine"),
    );
    expect(await fixture.problems('codex')).toEqual([]);
    change(fixture, '.codex/config.toml', (text) => text.replaceAll(/^(?=\[|trusted)/gmu, '# '));
    expect(await fixture.problems('codex')).toMatchObject([{ about: 'trust' }]);
    change(fixture, '.codex/config.toml', (text) => `model = \n${text}`);
    expect(await fixture.problems('codex')).toMatchObject([
      { about: 'installed', text: expect.stringContaining('config.toml: line 1 is not valid TOML') as string },
    ]);
  });

  it('sees a low cap of Qwen Code', async () => {
    const fixture = aFixture();
    await install(fixture, 'qwen');
    change(fixture, '.qwen/settings.json', (text) =>
      text.replace('"stopHookBlockingCap": 100', '"stopHookBlockingCap": 9'),
    );
    expect(await fixture.problems('qwen')).toMatchObject([{ about: 'cap' }]);
  });

  it('sees a cap of Qwen Code that the environment lowers', async () => {
    const fixture = aFixture();
    await install(fixture, 'qwen');
    const { stdout } = await fixture.user.tireless(['doctor', 'qwen', '--no-start'], {
      env: { HOME: fixture.folder, PATH: `${fixture.folder}/bin:/usr/bin:/bin`, QWEN_CODE_STOP_HOOK_BLOCK_CAP: '5' },
    });
    expect(stdout).toMatch(/problem +cap +after 5 replies in a row, .*QWEN_CODE_STOP_HOOK_BLOCK_CAP/u);
  });

  it('sees hooks that Gemini CLI, Qwen Code and Droid are told not to run', async () => {
    const fixture = aFixture();
    await install(fixture, 'gemini', 'qwen', 'droid');
    expect(await fixture.problems('gemini', 'qwen', 'droid')).toEqual([]);
    change(fixture, '.gemini/settings.json', (text) => text.replace('{', '{ "hooksConfig": { "enabled": false },'));
    change(fixture, '.qwen/settings.json', (text) => text.replace('{', '{ "disableAllHooks": true,'));
    put(fixture.folder, { '.factory/hooks.json': '{ "Stop": [] }\n' });
    expect(await fixture.problems('gemini', 'qwen', 'droid')).toMatchObject([
      { about: 'hooks-off', text: expect.stringContaining('hooksConfig.enabled') as string },
      { about: 'hooks-off', text: expect.stringContaining('disableAllHooks') as string },
      { about: 'hooks-off', text: expect.stringContaining('hooks.json') as string },
    ]);
    // In this form Droid reads the settings beside it.
    put(fixture.folder, { '.factory/hooks.json': '{ "hooks": { "Stop": [] } }\n' });
    expect(await fixture.problems('droid')).toEqual([]);
  });

  it('sees a folder that Gemini CLI was told not to trust: no hook of any kind runs there', async () => {
    const fixture = aFixture();
    await install(fixture, 'gemini');
    const here = fixture.user.project;
    for (const [word, about] of Object.entries({ DO_NOT_TRUST: ['trust'], TRUST_FOLDER: [] })) {
      put(fixture.folder, {
        '.gemini/trustedFolders.json': JSON.stringify({ [path.dirname(here)]: 'TRUST_FOLDER', [here]: word }),
      });
      expect((await fixture.problems('gemini')).map((each) => each.about)).toEqual(about);
    }
    put(fixture.folder, { '.gemini/trustedFolders.json': JSON.stringify({ [path.dirname(here)]: 'DO_NOT_TRUST' }) });
    expect(await fixture.problems('gemini')).toMatchObject([
      { about: 'trust', fix: expect.stringContaining('/permissions') as string },
    ]);
  });

  it('knows the plugin of tireless, and reports it when the hooks are there a second time', async () => {
    const fixture = aFixture();
    put(fixture.folder, {
      '.claude/settings.json': JSON.stringify({
        enabledPlugins: { 'tireless@tireless': true },
        env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
      }),
      '.codex/config.toml': '[plugins."tireless@tireless"]\nenabled = true\n',
    });
    expect(await fixture.problems('claude-code', 'codex')).toEqual([]);
    await install(fixture, 'claude-code');
    expect(await fixture.problems('claude-code')).toMatchObject([
      {
        about: 'installed',
        fix: 'tireless uninstall claude-code --user, or: claude plugin uninstall tireless@tireless',
      },
    ]);
  });

  it('names the dialects of the project, and a shim of a version manager', async () => {
    const fixture = aFixture();
    await install(fixture, 'claude-code', '--dialect', 'athena');
    mkdirSync(path.join(fixture.folder, 'shims'));
    put(fixture.folder, { 'shims/claude': '#!/bin/sh\necho 2.1.325\n' });
    chmodSync(path.join(fixture.folder, 'shims/claude'), 0o755);
    const env = { HOME: fixture.folder, PATH: `${path.join(fixture.folder, 'shims')}:/usr/bin:/bin` };
    const { stdout, code } = await fixture.user.tireless(['doctor', 'claude-code'], { env });
    expect(stdout).toMatch(/note +dialects +enabled in this project: athena/u);
    expect(stdout).toMatch(/note +shim /u);
    expect(stdout).toMatch(/note +fires +not started/u);
    expect(code).toBe(0);
  });

  it('says that a client which never asks the model cannot be tried out, and leaves no loop behind', async () => {
    const fixture = aFixture('case "$1" in --version) echo 2.1.325;; *) echo "no such flag" >&2; exit 3;; esac');
    await install(fixture, 'claude-code');
    const { stdout, code } = await fixture.run('doctor', 'claude-code');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /problem +fires +started it once, and it never called the model \(it ended with 3: no such flag\)/u,
    );
    expect((await fixture.run('list', '--json')).stdout).toContain('"loops":[]');
    expect(existsSync(path.join(fixture.user.home, 'armed/claude-code'))).toBe(true);
  });

  it('leaves nothing behind when the user presses Ctrl-C', async () => {
    const fixture = aFixture('case "$1" in --version) echo 2.1.325;; *) echo $$ > "$HOME/began"; sleep 600; esac');
    await install(fixture, 'claude-code');
    const tmp = aProject();
    const env = { HOME: fixture.folder, PATH: `${path.join(fixture.folder, 'bin')}:/usr/bin:/bin`, TMPDIR: tmp };
    const { child, end } = fixture.user.starts(['doctor', 'claude-code'], { env });
    const began = path.join(fixture.folder, 'began');
    await expect.poll(() => existsSync(began) && readFileSync(began, 'utf8'), { timeout: 20_000 }).toMatch(/\d/u);
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
    expect((await fixture.run('list', '--json')).stdout).toContain('"loops":[]');
    expect(readdirSync(tmp)).toEqual([]);
    expect(existsSync(`/proc/${readFileSync(began, 'utf8').trim()}`)).toBe(false);
  });

  it('gives the client none of the keys and addresses of the user', async () => {
    const fixture = aFixture('case "$1" in --version) echo 2.1.325;; *) env > "$HOME/seen"; exit 1;; esac');
    await install(fixture, 'claude-code');
    const env = {
      HOME: fixture.folder,
      PATH: `${path.join(fixture.folder, 'bin')}:/usr/bin:/bin`,
      ANTHROPIC_API_KEY: 'a-real-key',
      ANTHROPIC_AUTH_TOKEN: 'a-real-token',
      ANTHROPIC_BASE_URL: 'https://example.com',
    };
    await fixture.user.tireless(['doctor', 'claude-code'], { env });
    const seen = readFileSync(path.join(fixture.folder, 'seen'), 'utf8');
    expect(seen).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:/mu);
    expect(seen).not.toMatch(/a-real|example\.com/u);
  });
});

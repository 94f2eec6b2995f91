import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { aProject, put } from '../support/a-project.ts';
import { aPerson, changeGuard, everything, HOSTS, installSuite } from '../support/install-suite.ts';

installSuite(HOST_IDS);

describe('install', () => {
  it('keeps what the user changed in between, and takes out only its own', async () => {
    const person = aPerson({ '.claude/settings.json': '{\n  "model": "opus"\n}\n' });
    await person.tireless(['install', 'claude-code', '--yes']);
    const file = path.join(person.home, '.claude/settings.json');
    const mine = { hooks: [{ type: 'command', command: 'say done' }] };
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('"opus"', '"sonnet"')
        .replace('"Stop": [', `"Stop": [\n      ${JSON.stringify(mine)},`),
    );
    writeFileSync(path.join(person.home, '.claude/commands/ralph-help.md'), 'my own help\n');
    const again = await person.tireless(['install', 'claude-code', '--yes']);
    expect(again.stdout).toContain('tireless-ralph-help.md (new)');
    expect(again.stdout).toContain('ralph-help.md already exists and you changed it');
    const { stdout } = await person.tireless(['uninstall']);
    expect(stdout).toContain('only the entries of tireless removed');
    expect(stdout).toContain('was changed since, so it is kept');
    expect(person.read('.claude/settings.json')).toBe(
      `{\n  "model": "sonnet",\n  "hooks": {\n    "Stop": [\n      ${JSON.stringify(mine)}\n    ]\n  }\n}\n`,
    );
    expect(readdirSync(path.join(person.home, '.claude/commands'))).toEqual(['ralph-help.md']);
  });

  it('gives back the value it replaced', async () => {
    const person = aPerson({ '.qwen/settings.json': '{ "stopHookBlockingCap": 3 }\n' });
    await person.tireless(['install', 'qwen', '--yes']);
    writeFileSync(path.join(person.home, '.qwen/settings.json'), `${person.read('.qwen/settings.json')}\n`);
    await person.tireless(['uninstall', 'qwen']);
    expect(JSON.parse(person.read('.qwen/settings.json'))).toEqual({ stopHookBlockingCap: 3 });
  });

  it('waits for no pipe in the place of a settings file', async () => {
    const person = aPerson({ '.claude/x': '' });
    execFileSync('sh', ['-c', 'mkfifo .claude/settings.json'], { cwd: person.home });
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is not a regular file')]);
  });

  it.each([
    ['{\n  "model": "opus"\n  "env": {}\n}', 'line 3 is not valid JSON'],
    ['{ "hooks": [] }', '"hooks" is not an object'],
  ])('refuses a broken settings file, names the line and writes nothing: %j', async (text, said) => {
    const person = aPerson({ '.claude/settings.json': text });
    const before = everything(person.home);
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`SETTINGS_INVALID: Cannot change ${person.home}/.claude/settings.json`);
    expect(stderr).toContain(said);
    expect(everything(person.home)).toEqual(before);
  });

  it('refuses a settings file that is not UTF-8', async () => {
    const person = aPerson({ '.claude/a': '' });
    writeFileSync(path.join(person.home, '.claude/settings.json'), Buffer.from('{"a":"\xE9"}', 'latin1'));
    expect((await person.tireless(['install', 'claude-code', '--yes'])).stderr).toContain('it is not UTF-8');
  });

  it('writes through a link and keeps the mode of the file', async () => {
    const person = aPerson({ 'dotfiles/claude.json': '{}\n', '.claude/a': '' });
    const target = path.join(person.home, 'dotfiles/claude.json');
    chmodSync(target, 0o600);
    const link = path.join(person.home, '.claude/settings.json');
    symlinkSync('../dotfiles/claude.json', link);
    await person.tireless(['install', 'claude-code', '--yes']);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('"Stop"');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await person.tireless(['uninstall']);
    expect(readFileSync(target, 'utf8')).toBe('{}\n');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('never writes over a command that somebody else wrote', async () => {
    const person = aPerson({ '.claude/commands/ralph.md': 'my own ralph\n' });
    const { stdout } = await person.tireless(['install', 'claude-code', '--yes']);
    expect(stdout).toContain('.claude/commands/ralph.md (left alone)');
    expect(stdout).toContain('does not belong to tireless');
    expect(stdout).toContain('/tireless-ralph "make the tests pass"');
    expect(stdout).not.toContain(' /ralph "make the tests pass"');
    expect(person.read('.claude/commands/ralph.md')).toBe('my own ralph\n');
    await person.tireless(['uninstall']);
    expect(person.read('.claude/commands/ralph.md')).toBe('my own ralph\n');
  });

  it('puts the machine paths of a project into the file that is not committed', async () => {
    const person = aPerson();
    await person.tireless(['install', 'claude-code', '--project', '--yes']);
    expect(readdirSync(path.join(person.project, '.claude')).toSorted()).toEqual(['commands', 'settings.local.json']);
    expect(everything(person.home)).toEqual({});
  });

  it('writes a line that a shell runs, whatever the paths are called', async () => {
    const person = aPerson();
    const kept = path.join(aProject(), `it's "mine" $HOME`);
    const more = { TIRELESS_HOME: kept };
    await person.tireless(['install', 'claude-code', '--yes'], more);
    const { hooks } = JSON.parse(person.read('.claude/settings.json')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const line = hooks['Stop']?.[0]?.hooks[0]?.command ?? '';
    changeGuard(kept, 'claude-code', (text) => text.replace('exec "$node"', 'exec /bin/echo'));
    const asked = (session: string) =>
      spawnSync('/bin/sh', ['-c', line], { env: { CLAUDE_CODE_SESSION_ID: session }, encoding: 'utf8' });
    expect(asked('s1')).toMatchObject({ status: 0, stdout: '' });
    put(kept, { 'armed/claude-code/s1': '' });
    expect(asked('s1').stdout).toContain(`hook.cjs claude-code ${kept}`);
    expect(asked('s2').stdout).toBe('');
    await person.tireless(['uninstall'], more);
    expect(everything(person.home)).toEqual({});
    expect(existsSync(path.join(kept, 'hooks'))).toBe(false);
  });

  it('says at uninstall which loops nobody looks at any more', async () => {
    const person = aPerson();
    await person.tireless(['install', 'claude-code', 'codex', '--yes']);
    await person.tireless(['install', 'claude-code', '--project', '--yes']);
    const started = await person.tireless(['start', 'paint', '--session', 's1', '--check', 'false', '--json']);
    const { loop } = JSON.parse(started.stdout) as { loop: { id: string } };
    expect((await person.tireless(['uninstall', '--user', '--dry-run'])).stdout).not.toContain(loop.id);
    expect((await person.tireless(['uninstall', '--user'])).stdout).not.toContain(loop.id);
    const { code, stdout } = await person.tireless(['uninstall', '--yes']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Loop ${loop.id} is still open in a session of`)]);
    expect(stdout).toContain(`tireless cancel ${loop.id}`);
  });

  it.each([
    ['claude-code', '.claude/settings.json', 'systemMessage'],
    ['codex', '.codex/hooks.json', 'systemMessage'],
    ['gemini', '.gemini/settings.json', 'systemMessage'],
    ['qwen', '.qwen/settings.json', 'systemMessage'],
    ['copilot', '.copilot/hooks/tireless.json', 'additionalContext'],
    ['droid', '.factory/settings.json', 'systemMessage'],
  ] as const)('lets the agent stop in %s and reports it when Node has moved', async (host, file, key) => {
    const person = aPerson();
    await person.tireless(['install', host, '--yes']);
    put(person.kept, { [`armed/${host}/s1`]: '' });
    const hook = /"(?:Stop|AfterAgent)": .*?"(?:command|bash)": ("(?!command)(?:[^"\\]|\\.)+")/su.exec(
      person.read(file),
    );
    const line = JSON.parse(hook?.[1] ?? '""') as string;
    changeGuard(person.kept, host, (text) => text.replaceAll(process.execPath, '/moved/node'));
    const env = { ...process.env, CLAUDE_CODE_SESSION_ID: 's1' };
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { input: '{}', env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      [key]: expect.stringContaining(`Run "tireless install ${host}" again`) as unknown,
    });
  });

  it.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', 'settings.json'],
    ['codex', 'CODEX_HOME', 'hooks.json'],
    ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
    ['qwen', 'QWEN_HOME', 'settings.json'],
    ['copilot', 'COPILOT_HOME', 'hooks/tireless.json'],
    ['opencode', 'OPENCODE_CONFIG_DIR', 'plugin/tireless.js'],
    ['pi', 'PI_CODING_AGENT_DIR', 'extensions/tireless.ts'],
  ])('sets %s up in the folder that %s names', async (host, variable, file) => {
    const person = aPerson({});
    const folder = path.join(person.home, 'elsewhere');
    const { code } = await person.tireless(['install', host, '--yes'], { [variable]: folder });
    expect(code).toBe(0);
    expect(existsSync(path.join(folder, file))).toBe(true);
    expect(readdirSync(person.home)).toEqual(['elsewhere']);
  });

  it('knows an agent by the name of its program too, and says how it is called here', async () => {
    const { code, stderr } = await aPerson({}).tireless(['install', 'claude']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean claude-code?');
  });

  it('finds agents by their programs, and reports it when there are none', async () => {
    const person = aPerson({ 'bin/gemini': '#!/bin/sh\n', 'bin/claude': 'not a program' });
    chmodSync(path.join(person.home, 'bin/gemini'), 0o755);
    const found = await person.tireless(['install', '--dry-run'], { PATH: path.join(person.home, 'bin') });
    expect(found.stdout.match(/^\S+(?=, for your user:)/gmu)).toEqual(['gemini']);
    const folders = Object.fromEntries(Object.values(HOSTS).map(({ settings, text }) => [settings, text]));
    const all = await aPerson(folders).tireless(['install', '--dry-run']);
    expect([all.code, all.stdout]).toEqual([0, expect.stringContaining('Nothing was written (--dry-run).')]);
    expect(all.stdout.match(/^\S+(?=, for your user:)/gmu)).toEqual([...HOST_IDS]);
    const none = await aPerson().tireless(['install']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/AGENT_NOT_FOUND.*claude-code, codex/u)]);
  });

  it('enables a dialect for one project, one after the other, and keeps what was there', async () => {
    const person = aPerson();
    const lines = (): readonly string[] =>
      [
        ...readFileSync(path.join(person.project, '.claude/settings.local.json'), 'utf8').matchAll(
          /on=([a-z-]+?)(?:-end|-prompt|-failure)? tireless=\S*claude-code-/gu,
        ),
      ].map((match) => match[1] ?? '');
    expect((await person.tireless(['install', 'claude-code', '--dialect', 'stravinsky', '--yes'])).code).toBe(0);
    expect(new Set(lines())).toEqual(new Set(['stravinsky']));
    expect(existsSync(path.join(person.project, '.claude/commands'))).toBe(false);
    await person.tireless(['install', 'claude-code', '--dialect', 'loop-mechanics', '--yes']);
    expect(new Set(lines())).toEqual(new Set(['stravinsky', 'loop-mechanics']));
    await person.tireless(['install', 'claude-code', '--project', '--yes']);
    expect(new Set(lines())).toEqual(new Set(['stravinsky', 'loop-mechanics']));
    expect(existsSync(path.join(person.project, '.claude/commands/ralph.md'))).toBe(true);
    await person.tireless(['uninstall', '--project']);
    expect(everything(person.project)).toEqual({});
  });

  it('answers for a dialect through the line it wrote', async () => {
    const person = aPerson();
    await person.tireless(['install', 'claude-code', '--dialect', 'stravinsky', '--yes']);
    const { hooks } = JSON.parse(readFileSync(path.join(person.project, '.claude/settings.local.json'), 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const stop = (): string =>
      spawnSync('/bin/sh', ['-c', hooks['Stop']?.[0]?.hooks[0]?.command ?? 'false'], {
        env: { CLAUDE_PROJECT_DIR: person.project, HOME: person.home },
        input: JSON.stringify({
          session_id: 's1',
          cwd: person.project,
          hook_event_name: 'Stop',
          last_assistant_message: 'no',
        }),
        encoding: 'utf8',
      }).stdout;
    expect(stop()).toBe('');
    const text =
      '---\nactive: true\niteration_count: 1\nmax_iterations: 5\ncompletion_promise: "DONE"\n---\n\nmake it work\n';
    put(person.project, { '.stravinsky/continuation-loop.md': text });
    expect(JSON.parse(stop())).toMatchObject({ decision: 'block' });
  });

  it.each([
    [['install', 'claude'], 'There is no agent "claude"'],
    [['install', '--user', '--project'], 'at once'],
    [['install', '--dialect', 'stravinsky'], 'a named host'],
    [['install', 'codex', '--dialect', 'nope'], 'There is no dialect "nope"'],
    [['install', 'pi', '--dialect', 'athena', '--yes'], 'Cannot enable a dialect for pi'],
    [['install', 'codex', '--on-demand'], 'reads its settings only once'],
    [['uninstall', 'nobody'], 'There is no agent "nobody"'],
  ])('refuses %j', async (args, said) => {
    expect(await aPerson().tireless(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  it('trusts its own hooks in Codex only when told to, in the place where they stand', async () => {
    const theirs = { hooks: [{ type: 'command', command: 'true' }] };
    const person = aPerson({
      '.codex/hooks.json': JSON.stringify({ hooks: { Stop: [theirs] } }),
      '.codex/config.toml': 'model = "x"\n',
    });
    const before = everything(person.home);
    await person.tireless(['install', 'codex', '--yes']);
    expect(person.read('.codex/config.toml')).toBe('model = "x"\n');
    await person.tireless(['install', 'codex', '--yes', '--trust']);
    const toml = person.read('.codex/config.toml');
    expect(toml).toContain(`[hooks.state."${person.home}/.codex/hooks.json:stop:1:0"]\ntrusted_hash = "sha256:`);
    expect(toml).toContain(`${person.home}/.codex/hooks.json:pre_tool_use:0:0`);
    await person.tireless(['uninstall']);
    expect(everything(person.home)).toEqual(before);
  });

  it.each([
    ['[features\nx = 1\n', 'line 1 is not valid TOML'],
    ['hooks = { state = {} }\n', 'hooks.state is an inline value'],
    ['model = "x"\n[hooks]\nstate = {}\n', 'hooks.state is an inline value'],
  ])('adds nothing to a config.toml that Codex could not read then: %j', async (toml, why) => {
    const person = aPerson({ '.codex/config.toml': toml });
    const before = everything(person.home);
    const { code, stderr } = await person.tireless(['install', 'codex', '--yes', '--trust']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(everything(person.home)).toEqual(before);
  });

  it.each([
    ['as we do', '$&'],
    ['as Codex does where there are backslashes in it', "[hooks.state.'$1']"],
  ])(
    'renews a trust in hooks of an older version whose name is quoted %s, and brings the old bytes back',
    async (_, header) => {
      const person = aPerson();
      await person.tireless(['install', 'codex', '--yes', '--trust']);
      const ours = person.read('.codex/config.toml');
      await person.tireless(['uninstall']);
      // As Codex writes it when somebody trusts hooks on its screen.
      const theirs = ours
        .replaceAll(/^#.*\n/gmu, '')
        .replaceAll(/sha256:./gu, 'sha256:_')
        .replaceAll(/^\[hooks\.state\."(.*)"\]$/gmu, header);
      put(person.home, { '.codex/config.toml': theirs });
      await person.tireless(['install', 'codex', '--yes', '--trust']);
      expect(person.read('.codex/config.toml').trim()).toBe(ours.trim());
      await person.tireless(['uninstall']);
      expect(person.read('.codex/config.toml')).toBe(theirs);
    },
  );

  it('takes the trust out too when the record is lost', async () => {
    const person = aPerson({ '.codex/config.toml': 'model = "x"\n' });
    await person.tireless(['install', 'codex', '--yes', '--trust']);
    rmSync(path.join(person.kept, 'installed'), { recursive: true });
    await person.tireless(['uninstall', 'codex']);
    expect(person.read('.codex/config.toml')).toBe('model = "x"\n');
    expect(existsSync(path.join(person.home, '.codex/hooks.json'))).toBe(false);
  });

  it('refuses a link that leads nowhere, and leaves it as it is', async () => {
    const person = aPerson({ '.claude/a': '' });
    const link = path.join(person.home, '.claude/settings.json');
    symlinkSync('../dotfiles/claude.json', link);
    const { code, stderr } = await person.tireless(['install', 'claude-code', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is a link to')]);
    expect(readdirSync(path.join(person.home, '.claude')).toSorted()).toEqual(['a', 'settings.json']);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('survives a home that was moved: the record names the files it wrote', async () => {
    const person = aPerson({ '.claude/settings.json': '{}\n' });
    await person.tireless(['install', 'claude-code', '--yes']);
    renameSync(path.join(person.home, '.claude'), path.join(person.home, '.elsewhere'));
    const { code, stdout } = await person.tireless(['uninstall']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('contains nothing of tireless')]);
  });
});

/** What a new user meets when something is in the way of `start`: what happened, to which file, and what to do next. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const START = ['start', 'paint the shed', '--session', 'session-1'];

function system(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(program, args, { ...options, encoding: 'utf8' });
}

async function openLoops(user: User): Promise<unknown> {
  return (JSON.parse((await user.tireless(['status', '--json'])).stdout) as { loops: readonly unknown[] }).loops;
}

describe('a file that never ends', () => {
  it.each([
    ['.tireless/config.json', START],
    ['.claude/ralph-loop.local.md', START],
    ['.claude/ralph-loop.local.md', ['start', 'paint the shed', '--dialect', 'ralph-loop']],
  ])('is not waited for: a pipe as %s', async (file, args) => {
    const user = aUser();
    mkdirSync(path.join(user.project, path.dirname(file)));
    expect(system(['mkfifo', path.join(user.project, file)]).status).toBe(0);
    const { code, stderr } = await user.tireless(args);
    expect(code).toBe(1);
    expect(stderr).toContain(`STORE_UNREADABLE: Cannot read ${user.project}/${file}: it is not a regular file.`);
  });

  it('lets the agent stop at once, where a state file is one', async () => {
    const user = aUser();
    mkdirSync(path.join(user.project, '.claude'));
    symlinkSync('/dev/zero', path.join(user.project, '.claude/ralph-loop.local.md'));
    const args = ['hook', 'claude-code', '--dialect', 'ralph-loop'];
    const { code, stdout } = await user.tireless(args, { stdin: aStop(user.project, 'done') });
    expect(code).toBe(0);
    expect(stdout).toContain('it is not a regular file');
  });

  it('may be a pipe where the goal is read from it, as the user typed it', async () => {
    const user = aUser();
    const after = `mkfifo ${user.home}/goal; (printf 'paint it' >${user.home}/goal) &`;
    const args = ['start', '--goal-file', path.join(user.home, 'goal'), '--session', 's'];
    const shown = await user.tireless(args, { after: `${after} true` });
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('paint it') as unknown });
  });
});

describe('a start that fails leaves no loop behind', () => {
  it('when its tracker cannot be written', async () => {
    const user = aUser();
    symlinkSync('/nowhere/at/all', path.join(user.project, '.tireless'));
    const { code, stderr } = await user.tireless([...START, '--criterion', 'it is red']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('.tireless') as unknown });
    expect(stderr).not.toContain('TIRELESS_HOME');
    expect(await openLoops(user)).toEqual([]);
    rmSync(path.join(user.project, '.tireless'));
    expect(await user.tireless([...START, '--criterion', 'it is red'])).toMatchObject({ code: 0 });
  });

  it('when the folder for it leads out of the project, where nothing is written', async () => {
    const user = aUser();
    const elsewhere = aProject();
    symlinkSync(elsewhere, path.join(user.project, '.tireless'));
    const { code, stderr } = await user.tireless([...START, '--criterion', 'it is red']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${user.project}/.tireless leads outside the project`) as unknown,
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(await openLoops(user)).toEqual([]);
  });
});

describe('what is said', () => {
  it('when the directory that the user stands in was removed', async () => {
    const user = aUser();
    const gone = aProject();
    const { code, stderr } = await user.tireless(START, { after: `cd ${gone} && rm -r ${gone}` });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tireless: PROJECT_MISSING: .*was removed.*Change to another/u);
    expect(stderr).not.toContain('bug in tireless');
  });

  it('when the session has a loop whose journal is broken: how to be rid of it', async () => {
    const user = aUser();
    await user.tireless(START);
    const [loop = ''] = readdirSync(path.join(user.home, 'loops'));
    const dir = path.join(user.home, 'loops', loop);
    for (const name of ['snapshot.json', 'head']) rmSync(path.join(dir, name), { force: true });
    const journal = path.join(dir, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trim().split('\n');
    writeFileSync(journal, lines.slice(1).join('\n'));
    const { stderr } = await user.tireless(START);
    expect(stderr).toContain(`move ${dir} away`);
    rmSync(dir, { recursive: true });
    expect(await user.tireless(START)).toMatchObject({ code: 0 });
  });

  it('when the hooks of the agent were never installed', async () => {
    const user = aUser();
    const env = { HOME: user.home };
    const first = await user.tireless(START, { env });
    expect(first.stdout).toContain('tireless install claude-code');
    await user.tireless(['install', 'claude-code', '--yes'], { env });
    const second = await user.tireless(['start', 'paint it', '--session', 'session-2'], { env });
    expect(second).toMatchObject({ code: 0, stdout: expect.not.stringContaining('tireless install') as unknown });
  });

  it.each([
    ['an unknown flag', [...START, '--chek', 'x'], '"tireless help start" lists its flags'],
    ['an empty goal', ['start', '', '--session', 's'], '"make the tests pass" --check'],
    [
      'a goal file that is a directory',
      ['start', '--goal-file', '/', '--session', 's'],
      'Correct the path of --goal-file',
    ],
  ])('on %s', async (_, args, said) => {
    const { code, stderr } = await aUser().tireless(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) as unknown });
  });

  it('when there is no agent to look at', async () => {
    const user = aUser();
    const { code, stderr } = await user.tireless(['doctor'], { env: { HOME: user.home, PATH: '/nowhere' } });
    expect(code).toBe(1);
    expect(stderr).toContain('"tireless doctor claude-code"');
  });

  it('when the home cannot be used: by the doctor too', async () => {
    const user = aUser();
    put(user.home, { file: '' });
    const env = { HOME: user.home, TIRELESS_HOME: path.join(user.home, 'file') };
    const { code, stdout } = await user.tireless(['doctor', 'claude-code', '--no-start'], { env });
    expect(code).toBe(1);
    expect(stdout).toContain('cannot be written to');
  });
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe.runIf(isRoot)('without permission', () => {
  /** Permissions do not bind root; whoever is nobody they do. */
  const asNobody = (user: User, args: readonly string[]): string => {
    const cli = path.join(import.meta.dirname, '../../dist/cli.js');
    const words = [
      'setpriv',
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      process.execPath,
      cli,
      ...args,
    ];
    const env = { ...user.env, TIRELESS_HOME: user.home, HOME: user.home };
    return system(words, { cwd: user.project, env }).stderr;
  };

  it('to the home: that is what is said, and no errno', () => {
    const user = aUser();
    chmodSync(user.project, 0o755);
    const said = asNobody({ ...user, home: path.join(user.home, 'inner') }, START);
    expect(said).toMatch(/Cannot (?:keep loops in|write) .*permission denied \(EACCES\).*TIRELESS_HOME/u);
  });

  it('to the project: its own file is named, and another home is no way out', () => {
    const user = aUser({ 'goal.md': 'x' });
    chownSync(user.home, NOBODY, NOBODY);
    chmodSync(user.project, 0o755);
    chmodSync(path.join(user.project, 'goal.md'), 0o600);
    const said = asNobody(user, ['start', '--goal-file', 'goal.md', '--session', 's']);
    expect(said).toContain('goal.md: permission denied (EACCES)');
    expect(said).not.toContain('TIRELESS_HOME');
    const state = asNobody(user, ['start', 'paint', '--dialect', 'ralph-loop']);
    expect(state).toMatch(/\.claude: permission denied \(EACCES\)\. Give your user access to it/u);
    expect(state).not.toContain('TIRELESS_HOME');
    expect(existsSync(path.join(user.project, '.claude'))).toBe(false);
  });
});

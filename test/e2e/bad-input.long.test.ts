import { appendFileSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const AGENT = ['--agent-command', 'cat >/dev/null'];

describe('wrong usage', () => {
  it.each<[string, readonly string[], string]>([
    [
      'an unknown flag',
      ['run', 'goal', ...AGENT, '--max-iteration=3'],
      'Unknown flag --max-iteration. Did you mean --max-iterations?',
    ],
    ['--max-iterations abc', ['run', 'goal', ...AGENT, '--max-iterations', 'abc'], 'from 1 to 10000'],
    ['--max-iterations 0', ['run', 'goal', ...AGENT, '--max-iterations', '0'], 'from 1 to 10000'],
    ['--max-iterations -1', ['run', 'goal', ...AGENT, '--max-iterations', '-1'], 'from 1 to 10000'],
    ['--max-iterations=1e9', ['run', 'goal', ...AGENT, '--max-iterations=1e9'], 'from 1 to 10000'],
    ['an empty goal', ['run', '', ...AGENT], 'The goal is empty'],
    ['no goal', ['run', ...AGENT], 'The goal is empty'],
    ['no agent command', ['run', 'goal'], 'No agent was given. Add --agent NAME'],
    [
      'an agent nobody knows',
      ['run', 'goal', '--agent', 'claude'],
      'Did you mean claude-code? This version knows claude-code',
    ],
    ['an option of a later version', ['run', 'goal', ...AGENT, '--then', 'x'], 'not part of this version'],
    ['a command of a later version', ['serve'], 'not part of this version'],
    ['a misspelt command', ['rnu', 'goal'], 'Did you mean "run"?'],
    ['a goal that begins with a dash', ['run', '-x marks the spot', ...AGENT], 'put the goal after "--"'],
    ['a message that begins with a dash', ['steer', '-x marks the spot'], 'put the text after "--"'],
    ['a misspelt --version', ['--versoin'], 'Did you mean "--version"?'],
    ['a word after version', ['version', '--nope'], 'Unexpected "--nope" after "tireless version"'],
    ['a word after help', ['help', 'run', '--nope'], 'Unexpected "--nope" after "tireless help run"'],
    ['an empty agent command', ['run', 'goal', '--agent-command', ''], 'Cannot use an empty --agent-command'],
    ['a template without words', ['run', '--template', 'feature', ...AGENT], 'The template "feature" needs your words'],
    ['an agent that cannot be set up', ['install', 'nope'], 'There is no agent "nope"'],
    ['a duration without a unit', ['run', 'goal', ...AGENT, '--max-duration', '30'], 'a duration with its unit'],
  ])('refuses %s with exit code 2 and starts nothing', async (_, args, message) => {
    const user = aUser();
    const { code, stdout, stderr } = await user.tireless(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('tireless: USAGE: ');
    expect(stderr).toContain(message);
    expect(readdirSync(user.home)).toEqual([]);
  });
});

describe('a start that cannot work', () => {
  it('is refused when the program of the agent does not exist', async () => {
    const user = aUser();
    const { code, stderr } = await user.tireless(['run', 'goal', '--agent-command', 'no-such-agent --fast']);
    expect(code).toBe(1);
    expect(stderr).toContain('AGENT_NOT_FOUND: Cannot start the agent "no-such-agent --fast"');
    expect(readdirSync(user.home)).toEqual([]);
  });

  it('is refused when the project does not exist', async () => {
    const { code, stderr } = await aUser().tireless(['run', 'goal', ...AGENT, '--cwd', 'gone']);
    expect(code).toBe(1);
    expect(stderr).toContain('PROJECT_MISSING');
  });

  it('is refused when a check does not exist, before the agent starts', async () => {
    const user = aUser();
    const { code, stderr } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      'touch ran',
      '--check',
      'no-such-check --all',
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('CHECK_NOT_RUNNABLE: Cannot run the check "no-such-check --all"');
    expect(stderr).toContain('--allow-missing-check');
    expect(readdirSync(user.project)).toEqual([]);
    expect((await user.tireless(['history'])).stdout).toContain('cancelled  not started');
    const explained = (await user.tireless(['explain'])).stdout;
    expect(explained).toContain('The loop could not start');
    expect(explained).toContain('was cancelled: it could not start');
    expect(explained).not.toContain('The user');
  });

  it.each(['npm tset', 'npm run tset', 'make tset'])(
    'is refused when the script of the check does not exist (%s), with what the project has',
    async (check) => {
      const files = { 'package.json': '{ "scripts": { "test": "node --test" } }', Makefile: 'all:\n' };
      const user = aUser(files);
      const { code, stderr } = await user.tireless(['run', 'goal', '--agent-command', 'touch ran', '--check', check]);
      expect(code).toBe(1);
      expect(stderr).toContain(`CHECK_NOT_RUNNABLE: Cannot run the check "${check}" (`);
      expect(stderr).toContain('tset');
      expect(stderr).not.toContain('A complete log of this run');
      expect(stderr).toContain('This project seems to have "npm test".');
      expect(readdirSync(user.project).toSorted()).toEqual(Object.keys(files).toSorted());
    },
  );

  it('continues with a missing check when that was allowed', async () => {
    const script = 'cat >/dev/null; printf "exit 0" > check.sh; chmod +x check.sh';
    const { code, stdout } = await aUser().tireless([
      'run',
      'goal',
      '--agent-command',
      script,
      '--check',
      './check.sh',
      '--allow-missing-check',
    ]);
    expect(stdout).toContain('completed, verified');
    expect(code).toBe(0);
  });

  it.each([
    ['is a file', (user: User) => path.join(user.project, 'a-file'), 'HOME_UNUSABLE'],
    ['is not absolute', () => 'here', 'HOME_UNUSABLE'],
    ['is below a file', (user: User) => path.join(user.project, 'a-file', 'home'), 'HOME_UNUSABLE'],
  ])('is refused when the home %s', async (_, home, fault) => {
    const user = aUser({ 'a-file': '' });
    const { code, stderr } = await user.tireless(['run', 'goal', ...AGENT], { env: { TIRELESS_HOME: home(user) } });
    expect(code).toBe(1);
    expect(stderr).toContain(`tireless: ${fault}: `);
    expect(stderr).toContain('TIRELESS_HOME');
  });

  it('stops when the disk is full, loses nothing, and continues when there is room', async () => {
    const user = aUser();
    const run = [
      'run',
      'goal',
      '--agent-command',
      'cat >/dev/null; echo x >> log',
      '--check',
      '[ "$(wc -l < log)" -ge 3 ]',
    ];
    const full = await user.tireless(run, { after: 'ulimit -f 3' });
    expect(full.code).toBe(1);
    expect(full.stderr).toMatch(/^tireless: STORE_FULL: .* Loop \S+ is kept; continue with: tireless resume \S+\n$/u);
    expect(full.stdout).not.toContain('Cannot write');
    expect((await user.tireless(['resume'])).stdout).toContain('completed, verified');
    expect((await user.tireless(['replay'])).code).toBe(0);
  });

  it('tells a fault to a script as JSON', async () => {
    const { code, stdout } = await aUser().tireless(['run', 'goal', '--agent-command', 'no-such-agent', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'AGENT_NOT_FOUND' } });
  });
});

describe('a journal that was tampered with', () => {
  async function anEndedLoop() {
    const user = aUser();
    await user.tireless(['run', 'goal', ...AGENT, '--check', 'false', '--max-iterations', '1']);
    const [loop = ''] = readdirSync(path.join(user.home, 'loops'));
    return { user, loop, journal: path.join(user.home, 'loops', loop, 'journal.jsonl') };
  }

  it.each<[string, (journal: string) => void, string]>([
    [
      'edited',
      (journal) =>
        writeFileSync(journal, readFileSync(journal, 'utf8').replace('"iterationsMax":1', '"iterationsMax":9')),
      'JOURNAL_BROKEN',
    ],
    [
      'cut short',
      (journal) => truncateSync(journal, readFileSync(journal, 'utf8').lastIndexOf('{"v"')),
      'JOURNAL_TRUNCATED',
    ],
    [
      'continued by a newer version',
      (journal) => appendFileSync(journal, '\n{"v":99,"revision":9}\n'),
      'JOURNAL_VERSION_UNKNOWN',
    ],
  ])('is refused when it was %s, by every command that reads it', async (_, tamper, fault) => {
    const { user, loop, journal } = await anEndedLoop();
    tamper(journal);
    for (const command of ['replay', 'explain', 'resume']) {
      const { code, stderr } = await user.tireless([command, loop]);
      expect({ command, code, fault: /tireless: (\w+): /.exec(stderr)?.[1] }).toEqual({ command, code: 1, fault });
    }
  });

  it('is read around a torn last line', async () => {
    const { user, loop, journal } = await anEndedLoop();
    appendFileSync(journal, '\n{"v":1,"revis');
    expect((await user.tireless(['replay', loop])).code).toBe(0);
  });

  it('does not hide the other loops', async () => {
    const { user, journal } = await anEndedLoop();
    writeFileSync(journal, 'garbage');
    mkdirSync(path.join(user.home, 'loops', 'not-a-loop'));
    await user.tireless(['run', 'another', ...AGENT, '--check', 'true', '--claim', 'X', '--max-iterations', '1']);
    const { code, stdout } = await user.tireless(['list']);
    expect(code).toBe(0);
    expect(stdout).toContain('another');
  });
});

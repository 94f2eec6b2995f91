import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JudgeView } from '../../src/views/judge-report.ts';
import { aUser } from '../support/run-cli.ts';

const FILES = {
  'package.json': '{ "type": "module", "scripts": { "test": "sh tools/check.sh" }, "dependencies": {} }\n',
  'tools/check.sh': '[ -e dist/built ] && [ -e src/a.js ] || { echo "dist/built is missing"; exit 1; }\n',
  'test/a.test.js': '',
  'vitest.config.js': '',
  'src/a.js': '',
  'dist/built': '',
  '.gitignore': 'dist/\n',
};

const WRITE = "printf '<testsuite><testcase/><testcase/></testsuite>' > out.xml";
const REPORTING = { 'tools/check.sh': `${WRITE}; grep -q yes src/done\n`, 'src/done': 'no\n' };

describe('tireless checks', () => {
  it('tries a project out before there is a loop, and keeps nothing', async () => {
    const user = aUser(FILES);
    const flags = ['checks', '--check', 'sh tools/check.sh', '--protect', 'docs/**', '--free', 'vitest.config.js'];
    const { code, stdout, stderr } = await user.tireless(flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('sh tools/check.sh: sh tools/check.sh (does not work in the clean room)');
    expect(stdout).toMatch(/^ {2}test +1: test\/a\.test\.js$/m);
    expect(stdout).toMatch(/^ {2}script +1: tools\/check\.sh$/m);
    expect(stdout).toMatch(/^ {2}parts of +package\.json: scripts\/test$/m);
    expect(stdout).not.toContain('vitest.config.js');
    expect(stdout).toContain('no file matches docs/**');
    expect(stdout).toContain('try --room-keep dist/');
    const kept = await user.tireless(['checks', '--check', 'sh tools/check.sh', '--room-keep', 'dist/', '--json']);
    expect(JSON.parse(kept.stdout) as JudgeView).toMatchObject({
      loop: null,
      checks: [{ name: 'sh tools/check.sh', fit: true }],
      mixed: [{ path: 'package.json', parts: ['scripts/test'] }],
      noRoom: null,
    });
    expect(existsSync(path.join(user.home, 'loops'))).toBe(false);
    expect(readdirSync(path.join(user.home, 'rooms'))).toEqual([]);
  });

  it('tells whoever arms a session that the clean room does not work for a check', async () => {
    const user = aUser(FILES);
    const start = ['start', 'goal', '--session', 'a-session', '--check', 'sh tools/check.sh'];
    const { code, stdout } = await user.tireless(start);
    expect(code).toBe(0);
    expect(stdout).toContain('  room:     the clean room does not work for "sh tools/check.sh"');
    expect(stdout).toContain('try --room-keep dist/');
    expect((await user.tireless(['status'])).stdout).toContain('  room:      the clean room does not work for');
  });

  it('counts tests in a report that this run wrote, in the project and in the clean room', async () => {
    const user = aUser(REPORTING);
    const flags = ['--check', 'unit:: sh tools/check.sh', '--check-report', 'unit:: out.xml', '--max-iterations', '2'];
    const run = (agent: string): ReturnType<typeof user.tireless> =>
      user.tireless(['run', 'goal', '--agent-command', `cat >/dev/null; ${agent}`, ...flags]);
    const { code, stdout } = await run('echo yes > src/done');
    expect(stdout).toContain('completed, verified (clean room)');
    expect(code).toBe(0);
    expect((await user.tireless(['checks'])).stdout).toContain('works in the clean room; 2 tests ran there');
    expect((await user.tireless(['explain'])).stdout).toContain('2 tests ran');
  });

  it('does not believe a report that the agent left, nor a run without one', async () => {
    const user = aUser({
      ...REPORTING,
      'tools/check.sh': 'sh src/run.sh; grep -q yes src/done\n',
      'src/run.sh': `${WRITE}\n`,
    });
    const flags = ['--check', 'unit:: sh tools/check.sh', '--check-report', 'out.xml', '--max-iterations', '2'];
    const cheat = 'echo yes > src/done; echo true > src/run.sh; printf \'<testsuite tests="9"/>\' > out.xml';
    const { code, stdout } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `cat >/dev/null; ${cheat}`,
      ...flags,
    ]);
    expect(stdout).toContain('halted: 2 of 2 iterations used, 1 check without a result: unit');
    expect(code).toBe(3);
    const explained = (await user.tireless(['explain'])).stdout;
    expect(explained).toContain('it passed without its report');
    expect(explained).toContain('[no report: out.xml is older than this run, which did not write it]');
    const missing = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      'cat',
      '--check',
      'true',
      '--check-report',
      'no.xml',
    ]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain(
      'Cannot count the tests of the check "true" ([no report: no.xml was not written])',
    );
  });

  it('shows what judges a loop, hold-outs without their commands', async () => {
    const user = aUser(FILES);
    const agent = ['--agent-command', 'cat >/dev/null', '--max-iterations', '1'];
    const run = ['run', 'goal', ...agent, '--check', 'unit:: test -e made', '--holdout', 'grep -q secret made'];
    const { stdout: story } = await user.tireless(run);
    expect(story).toContain('✗ unit (clean room) (exit 1');
    const { code, stdout } = await user.tireless(['checks']);
    expect(code).toBe(0);
    expect(stdout).toContain('unit: test -e made (works in the clean room)');
    expect(stdout).toContain('hold-out 1: not shown (works in the clean room)');
    expect((await user.tireless(['checks', '--json'])).stdout).not.toContain('secret');
    const explained = await user.tireless(['explain']);
    expect(explained.stdout).toContain('kept 6 files for the clean room; 2 of them judge the work');
    expect((await user.tireless(['checks', 'x', '--check', 'true'])).code).toBe(2);
  });
});

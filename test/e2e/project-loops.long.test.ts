/** A command without a name means a loop of the project it is called in, and one file that cannot be read hides no other loop. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aStop } from '../support/hook-payload.ts';
import { aUser } from '../support/run-cli.ts';

type Listed = { readonly loops: readonly { readonly id: string; readonly status: string; readonly cwd: string }[] };

async function loopsOf(user: User): Promise<Listed['loops']> {
  return (JSON.parse((await user.tireless(['list', '--json'])).stdout) as Listed).loops;
}

async function arm(user: User, goal: string, session: string, cwd = user.project): Promise<string> {
  const { code, stdout, stderr } = await user.tireless(['start', goal, '--session', session, '--json'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { loop: { id: string } }).loop.id;
}

describe('without a name', () => {
  it('has no loops to list where there is no folder', async () => {
    const missing = await aUser().tireless(['list', '--project', '/no/such/folder']);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PROJECT_MISSING: Cannot list the loops of /no/such/folder: there is no such'),
    });
  });

  const COMMANDS = [['pause'], ['resume'], ['cancel'], ['explain'], ['replay'], ['steer', 'be quick'], ['approve']];

  it('every command leaves the loops of other projects alone', async () => {
    const user = aUser();
    const loop = await arm(user, 'the goal', 's1');
    const elsewhere = aProject();
    for (const args of COMMANDS) {
      const ran = await user.tireless(args, { cwd: elsewhere });
      expect({ args, ...ran }).toMatchObject({ args, code: 1, stdout: '' });
      expect(ran.stderr).toContain('LOOP_NOT_FOUND');
      expect(ran.stderr).toContain('in this project');
      expect(ran.stderr).toContain('"tireless list"');
    }
    const status = await user.tireless(['status'], { cwd: elsewhere });
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(status.stdout).toContain('no open loops in this project');
    expect(status.stdout).toContain(`1 open loop in other projects ("tireless list" shows all):\n  ${loop}  running`);
    expect(await loopsOf(user)).toMatchObject([{ id: loop, status: 'running' }]);
  });

  it('the newest loop of the project that fits is meant, also from a folder inside of it', async () => {
    const user = aUser({ '.git/HEAD': 'ref: refs/heads/main\n', 'src/deep/a.txt': '' });
    const first = await arm(user, 'the first', 's1');
    const second = await arm(user, 'the second', 's2');
    const inside = path.join(user.project, 'src/deep');
    expect((await user.tireless(['explain'], { cwd: inside })).stdout).toContain(`loop ${second} is`);
    expect((await user.tireless(['pause'], { cwd: inside })).stdout).toContain(second);
    expect((await user.tireless(['pause'], { cwd: inside })).stdout).toContain(first);
    expect((await user.tireless(['status'], { cwd: inside })).stdout).toMatch(new RegExp(`${first}[^]*${second}`, 'u'));
    expect((await user.tireless(['cancel'], { cwd: inside })).stdout).toContain(second);
    expect(await loopsOf(user)).toMatchObject([
      { id: first, status: 'paused' },
      { id: second, status: 'cancelled' },
    ]);
  });

  it('status ends no loop of another project whose file is gone', async () => {
    const user = aUser();
    await user.tireless(['start', 'it', '--dialect', 'stravinsky', '--session', 's1']);
    writeFileSync(path.join(user.project, '.stravinsky/continuation-loop.md'), '---\nactive: false\n---\n');
    await user.tireless(['status'], { cwd: aProject() });
    expect(await loopsOf(user)).toMatchObject([{ status: 'pending' }]);
    await user.tireless(['status']);
    expect(await loopsOf(user)).toMatchObject([{ status: 'cancelled' }]);
  });
});

/** What no program can make sense of, also not that of the administrator. */
const HARMS: readonly (readonly [string, (file: string) => void])[] = [
  ['is not UTF-8', (file) => writeFileSync(file, Buffer.from([0x2d, 0xff, 0xfe, 0x0a]))],
  ['is not a state file', (file) => writeFileSync(file, 'nothing of the kind')],
];

describe.each(HARMS)('a tracker that %s', (_, harm) => {
  it('is reported by status beside the other loops, and fails only the status of its own loop', async () => {
    const user = aUser();
    const start = ['--dialect', 'athena', '--json', '--session'];
    const made = await user.tireless(['start', 'the broken one', ...start, 's1']);
    const { file, loop } = JSON.parse(made.stdout) as { readonly file: string; readonly loop: string };
    const other = await arm(user, 'the sound one', 's2');
    harm(path.join(user.project, file));

    const { code, stdout, stderr } = await user.tireless(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(other);
    expect(stdout).toMatch(new RegExp(`${loop}[^]*file: +cannot be read`, 'u'));
    const json = JSON.parse((await user.tireless(['status', '--json'])).stdout) as { readonly unreadable: unknown };
    expect(json.unreadable).toMatchObject([{ dialect: 'athena', file, loop }]);
    expect((await user.tireless(['status'], { cwd: aProject() })).code).toBe(0);
    expect((await user.tireless(['status', other])).code).toBe(0);
    const asked = await user.tireless(['status', loop]);
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('cannot be read') as string });
  });

  it('without a loop is reported too, and stops no command about another loop', async () => {
    const user = aUser();
    const file = '.athena/sessions/s9/loop-tracker.md';
    put(user.project, { [file]: '' });
    harm(path.join(user.project, file));
    const loop = await arm(user, 'the sound one', 's2');
    const status = await user.tireless(['status']);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(status.stdout).toContain(loop);
    expect(status.stdout).toContain(`${file}  cannot be read`);
    expect((await user.tireless(['cancel'])).stdout).toContain(`cancelled loop ${loop}`);
  });
});

describe('a broken state file is named by', () => {
  const FILE = '.stravinsky/continuation-loop.md';
  const GOOD = '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: ok\nactive: true\n---\nit\n';
  const BROKEN = GOOD.replace('9', 'nine');

  it.each(['cancel', 'pause'])('%s, with and without its name, when it has no loop', async (command) => {
    const user = aUser({ [FILE]: BROKEN });
    for (const words of [[command], [command, FILE]])
      expect(await user.tireless(words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${FILE} cannot be read (line 3: max_iterations is "nine"`) as string,
      });
  });

  it.each(['cancel', 'pause'])('%s of the loop that lives in it', async (command) => {
    const user = aUser({ [FILE]: GOOD });
    await user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], { stdin: aStop(user.project, 'a') });
    put(user.project, { [FILE]: BROKEN });
    const { code, stdout } = await user.tireless([command]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${FILE} cannot be read (line 3: max_iterations is "nine"`);
  });
});

it('a folder in the place of a tracker stops no command about another loop', async () => {
  const user = aUser();
  mkdirSync(path.join(user.project, '.stravinsky/continuation-loop.md'), { recursive: true });
  const loop = await arm(user, 'the sound one', 's2');
  expect((await user.tireless(['status'])).stdout).toContain(loop);
  expect(readFileSync(path.join(user.home, 'loops', loop, 'journal.jsonl'), 'utf8')).toContain('the sound one');
});

/** Settings that give the hook less time than was installed, and checks that need more. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const SECONDS = 9;

type Settings = { readonly hooks: Readonly<Record<string, readonly { hooks: { timeout: number }[] }[]>> };

/** A check waits for the door, so it outlasts every hook; the door opens when the test ends. `events`: default all. */
async function shortened(files: Readonly<Record<string, string>> = {}, events?: readonly string[]): Promise<User> {
  const user = aUser(files);
  expect(await user.tireless(['install', 'claude-code', '--yes'])).toMatchObject({ code: 0 });
  const settings = path.join(user.env['HOME'] ?? '', '.claude/settings.json');
  const { hooks, ...others } = JSON.parse(readFileSync(settings, 'utf8')) as Settings;
  for (const [event, groups] of Object.entries(hooks))
    if (events === undefined || events.includes(event)) for (const one of groups) one.hooks[0]!.timeout = SECONDS;
  writeFileSync(settings, JSON.stringify({ ...others, hooks }));
  onTestFinished(async () => {
    put(user.home, { door: '' });
    const isOver = async (): Promise<boolean> => (await user.tireless(['wait', '--timeout', '1ms'])).code !== 4;
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  });
  return user;
}

/** As a host does: whoever takes longer is killed, and has said nothing. */
async function hook(user: User, payload: string, options: readonly string[] = []): Promise<string> {
  const running = user.starts(['hook', 'claude-code', ...options], { stdin: payload });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), SECONDS * 1000);
  const { stdout } = await running.end;
  clearTimeout(timer);
  return stdout;
}

const behindTheDoor = ({ home }: User): string => `while [ ! -f ${home}/door ]; do sleep 0.1; done; false`;

const typed = ({ project }: User, options: string): string =>
  JSON.stringify({
    session_id: 'session-1',
    cwd: project,
    hook_event_name: 'UserPromptExpansion',
    command_name: 'ralph',
    command_args: `"paint the shed" ${options}`,
  });

describe('a hook that the settings give less time than the checks need', () => {
  it('reports it once, when the loop begins, and asks the agent to wait at each stop', async () => {
    const user = await shortened();
    const began = await hook(user, typed(user, `--check "slow:: ${behindTheDoor(user)}"`));
    expect(began).toContain(`the settings let its hooks run for ${SECONDS} s, and the checks take longer`);
    expect(began).toContain('paint the shed');
    const [first, second] = [await hook(user, aStop(user.project, 'a')), await hook(user, aStop(user.project, 'b'))];
    for (const reply of [first, second]) {
      expect(reply).toMatch(/ wait \S/u);
      expect(reply).not.toContain('the settings let its hooks run');
    }
  });

  it('waits for work in the background no longer than that', async () => {
    const user = await shortened({ 'transcript.jsonl': '{"type":"assistant"}\n' });
    await hook(user, typed(user, ''));
    const background_tasks = [{ id: 'server', status: 'running' }];
    const transcript_path = path.join(user.project, 'transcript.jsonl');
    expect(await hook(user, aStop(user.project, 'a', { background_tasks, transcript_path }))).toContain('iteration 2');
  });

  it('waits for an approval no longer than that', async () => {
    const vault = 'AI_Employee_Vault';
    const user = await shortened({
      [`${vault}/Ralph_State/RALPH_1.json`]: '{"loop_id":"RALPH_1","prompt":"make it","pause_between_iterations":0}',
      [`${vault}/Pending_Approval/PAY.md`]: 'May I pay? (loop RALPH_1)',
    });
    const options = ['--dialect', 'ralph-wiggum', '--after-approval', 'none'];
    expect(await hook(user, aStop(user.project, 'a'), options)).toContain('Waiting for approval');
  });
});

describe('settings that give less time', () => {
  it('to another event shorten no stop', async () => {
    const user = await shortened({}, ['PreToolUse', 'UserPromptExpansion']);
    const began = await hook(user, typed(user, `--check "slow:: ${behindTheDoor(user)}"`));
    expect(began).toContain('paint the shed');
    expect(began).not.toContain('the settings let its hooks run');
    const stop = user.starts(['hook', 'claude-code'], { stdin: aStop(user.project, 'a') });
    setTimeout(() => put(user.home, { door: '' }), (SECONDS + 2) * 1000);
    expect((await stop.end).stdout).toContain('fails with exit code 1');
  });

  it('to stops alone are reported, too, when the loop begins', async () => {
    const user = await shortened({}, ['Stop']);
    const running = user.starts(['hook', 'claude-code'], { stdin: typed(user, `--check "sleep ${SECONDS + 1}"`) });
    expect((await running.end).stdout).toContain(`the settings let its hooks run for ${SECONDS} s`);
  });

  it('do not hurry a loop that is started in a terminal: nobody ends it', async () => {
    const user = await shortened();
    setTimeout(() => put(user.home, { door: '' }), (SECONDS + 2) * 1000);
    const check = ['--check', `slow:: ${behindTheDoor(user)}`];
    const { code } = await user.tireless(['start', 'paint the shed', '--session', 'session-1', ...check]);
    expect(code).toBe(0);
    expect((await user.tireless(['status', '--json'])).stdout).not.toContain('still-running');
    expect((await user.tireless(['explain'])).stdout).not.toContain('still running');
  });
});

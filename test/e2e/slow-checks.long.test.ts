/** A check that takes longer than the host lets a hook last. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { State } from '../../src/core/loop.ts';
import { embeddedControl } from '../../src/engine/control.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { forgetLoop } from '../../src/stores/forget-loop.ts';
import { systemClock } from '../../src/system/clock.ts';
import { readTextIfExists } from '../../src/system/files.ts';
import { isRunning, put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const CLAIM = 'All of it.\n<promise>DONE</promise>';

const waiting = ({ home }: User): string => `slow:: while [ ! -f ${home}/door ]; do sleep 0.1; done; test -f done.txt`;

/** The check waits until the test opens its door, which stands outside of the project: no clock decides. */
async function armed(user: User, check = waiting(user)): Promise<string> {
  const door = path.join(user.home, 'door');
  put(user.home, { door: '' });
  // Whatever happens in the test: the check behind the door ends before its home is gone.
  onTestFinished(async () => {
    open(user);
    const isOver = async (): Promise<boolean> => (await user.tireless(['wait', '--timeout', '1ms'])).code !== 4;
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  });
  const args = ['start', 'paint the shed', '--session', 'session-1', '--check', check, '--claim', 'DONE', '--json'];
  const { code, stdout, stderr } = await user.tireless(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  rmSync(door);
  return (JSON.parse(stdout) as { loop: { id: string } }).loop.id;
}

const open = ({ home }: User): void => put(home, { door: '' });

function stateOf({ home }: User, loop: string): State {
  const store = openFileStore({ home });
  const state = store.load(loop)?.state;
  store.close();
  if (state === undefined) throw new Error(`no loop ${loop}`);
  return state;
}

const hookOptions = (user: User, message: string, seconds: string): Parameters<User['tireless']>[1] => ({
  stdin: aStop(user.project, message),
  env: { TIRELESS_HOOK_SECONDS: seconds },
});

async function stop(user: User, message: string, seconds = '60'): Promise<string> {
  const { code, stdout } = await user.tireless(['hook', 'claude-code'], hookOptions(user, message, seconds));
  expect(code).toBe(0);
  const reply = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext: string } };
  return reply.hookSpecificOutput?.additionalContext ?? '';
}

describe('a check that outlasts the hook', () => {
  it('that was to begin a loop is not waited for at every prompt: the user sees it once, and the loop begins', async () => {
    const user = aUser();
    const place = { session_id: 'session-1', cwd: user.project };
    const typed = {
      ...place,
      hook_event_name: 'UserPromptExpansion',
      command_name: 'ralph',
      command_args: `"paint the shed" --check "${waiting(user)}"`,
    };
    const arming = user.starts(['hook', 'claude-code'], { stdin: JSON.stringify(typed) });
    const isChecked = async (): Promise<number | null> => (await user.tireless(['wait', '--timeout', '1ms'])).code;
    await expect.poll(isChecked, { timeout: 30_000 }).toBe(4);
    // As a host does that gives it less time than we think.
    arming.child.kill('SIGKILL');
    await arming.end;
    expect((await user.tireless(['status'])).stdout).toContain('stalled: the hook that should have begun it was ended');
    const prompt = JSON.stringify({ ...place, hook_event_name: 'UserPromptSubmit', prompt: 'and?' });
    const says = async (): Promise<string> =>
      (await user.tireless(['hook', 'claude-code'], { stdin: prompt, env: { TIRELESS_HOOK_SECONDS: '20' } })).stdout;
    const first = await says();
    expect(first).toMatch(/tireless: the hook that began loop \S+ was ended before the checks had finished/u);
    expect(first).toContain('paint the shed');
    expect(await says()).not.toContain('the checks take longer');
    open(user);
    await expect.poll(isChecked, { timeout: 30_000 }).not.toBe(4);
  });

  it('continues outside of it, is waited for, and the iteration is judged once', async () => {
    const user = aUser();
    const loop = await armed(user);
    put(user.project, { 'done.txt': '' });
    const [told = ''] = /^.* wait \S+$/mu.exec(await stop(user, CLAIM, '3')) ?? [];
    expect(await user.tireless(['wait', loop, '--timeout', '300ms'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('still run') as string,
    });
    // Who does not wait is told again, and nothing is counted.
    expect(await stop(user, 'I stopped at once.', '2')).toContain(` wait ${loop}\n`);
    expect(stateOf(user, loop)).toMatchObject({ status: 'running', counted: 0, faults: 0 });
    open(user);
    // Just what the agent was told, in its shell: tireless is not on the PATH here, as with a plugin or npx.
    const waited = spawnSync('sh', ['-c', told], {
      env: { TIRELESS_HOME: user.home, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    expect(waited).toMatchObject({ status: 0, stdout: expect.stringContaining('✓ slow') as string });
    expect(await stop(user, 'I have waited.')).toBe('');
    expect(stateOf(user, loop)).toMatchObject({ status: 'completed', counted: 1, outcome: { verified: true } });
  });

  it('is asked again when the files were changed after it began', async () => {
    const user = aUser({ 'done.txt': '' });
    const loop = await armed(user);
    expect(await stop(user, CLAIM, '3')).toContain(` wait ${loop}\n`);
    rmSync(path.join(user.project, 'done.txt'));
    open(user);
    await user.tireless(['wait', loop]);
    // It passed or failed while the file went away: only what is there now counts.
    expect(await stop(user, 'I have waited.')).toContain('fails with exit code 1');
    expect(stateOf(user, loop)).toMatchObject({ status: 'running', counted: 1 });
  });

  it('survives a hook that is killed, and is asked again: nobody can vouch for its answer', async () => {
    const user = aUser({ 'done.txt': '' });
    const loop = await armed(user);
    const hook = user.starts(['hook', 'claude-code'], hookOptions(user, CLAIM, '60'));
    await expect
      .poll(async () => (await user.tireless(['wait', loop, '--timeout', '1ms'])).code, { timeout: 20_000 })
      .toBe(4);
    hook.child.kill('SIGKILL');
    await hook.end;
    expect(stateOf(user, loop).counted).toBe(0);
    const status = async (): Promise<string> => (await user.tireless(['status', loop])).stdout;
    expect(await status()).toContain('stalled: its last stop was not judged');
    const work = (timestamp: string): void =>
      put(user.env['HOME'] ?? '', {
        '.claude/projects/shed/session-1.jsonl': `${JSON.stringify({ type: 'assistant', timestamp })}\n`,
      });
    work(new Date(Date.now() - 3_600_000).toISOString());
    expect(await status()).toContain('stalled: its last stop was not judged');
    // Whoever works again is at work.
    work(new Date().toISOString());
    expect(await status()).not.toContain('stalled');
    // It could not say so itself: whoever comes next does, once more until a stop was judged.
    const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 'session-1', cwd: user.project, prompt: 'and?' };
    const told = await user.tireless(['hook', 'claude-code'], { stdin: JSON.stringify(prompt) });
    expect(told.stdout).toContain(`the last stop of loop ${loop} was not judged`);
    expect(await status()).not.toContain('stalled');
    open(user);
    expect(await stop(user, CLAIM)).toBe('');
    expect(stateOf(user, loop)).toMatchObject({ status: 'completed', counted: 1 });
  });

  it('does not hold up the beginning: what was there before is not known then', async () => {
    const user = aUser();
    const door = path.join(user.home, 'door');
    const check = `slow:: while [ ! -f ${door} ]; do sleep 0.1; done; test -f done.txt`;
    const args = ['start', 'paint the shed', '--session', 'session-1', '--check', check, '--json'];
    const { code, stdout } = await user.tireless(args, { env: { TIRELESS_HOOK_SECONDS: '2' } });
    expect(code).toBe(0);
    const { id } = (JSON.parse(stdout) as { loop: { id: string } }).loop;
    expect(stateOf(user, id)).toMatchObject({ status: 'running', baseline: [{ result: 'unknown' }] });
    open(user);
    put(user.project, { 'done.txt': '' });
    expect(await stop(user, 'It is painted.')).toContain('<promise>DONE</promise>');
    expect(await stop(user, CLAIM)).toBe('');
    expect(stateOf(user, id)).toMatchObject({ status: 'completed', counted: 2, outcome: { verified: true } });
  });
});

/** Writes down who it is before it waits; the sleeper has left its group, its session and its environment. */
function leavingTraces({ home }: User): string {
  const detached = `setsid sh -c 'echo $$ >> ${home}/ran; exec sleep 600' >/dev/null 2>&1`;
  return `slow:: echo $$ >> ${home}/ran; ${detached} & while [ ! -f ${home}/door ]; do sleep 0.1; done; test -f done.txt`;
}

/** Empty as long as it has not begun. */
const ran = ({ home }: User): readonly string[] =>
  (readTextIfExists(path.join(home, 'ran')) ?? '').split('\n').filter(Boolean);

/** Its check was let go by the hook, and runs. */
async function leftBehind(user: User): Promise<{ loop: string; pids: readonly string[] }> {
  const loop = await armed(user, leavingTraces(user));
  rmSync(path.join(user.home, 'ran'));
  expect(await stop(user, CLAIM, '3')).toContain(` wait ${loop}\n`);
  await expect.poll(() => ran(user).filter(isRunning).length, { timeout: 20_000 }).toBe(2);
  const pids = ran(user);
  onTestFinished(() => {
    for (const pid of ran(user)) if (isRunning(pid)) process.kill(Number(pid), 'SIGKILL');
  });
  return { loop, pids };
}

const someRun = (pids: readonly string[]): boolean => pids.some(isRunning);

describe('a check that nobody waits for any more is ended with all it started', () => {
  it('when its loop is cancelled, before that is said', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    expect(await user.tireless(['cancel', loop])).toMatchObject({ code: 0 });
    expect(someRun(pids)).toBe(false);
    expect(await user.tireless(['wait', loop])).toMatchObject({ code: 0 });
  });

  it('when its loop is ended by a program that knows nothing of checks', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    const store = openFileStore({ home: user.home });
    await embeddedControl(store, { readClock: systemClock().read, probe: async () => [] }).cancel(loop);
    await expect.poll(() => someRun(pids), { timeout: 20_000 }).toBe(false);
  });

  it('when its loop is forgotten', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    forgetLoop(user.home, loop, null);
    await expect.poll(() => someRun(pids), { timeout: 20_000 }).toBe(false);
  });

  it('when the loop leaves its session', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    const resumed = user.starts(['resume', loop, '--force', '--agent-command', 'cat']);
    await expect.poll(() => someRun(pids), { timeout: 20_000 }).toBe(false);
    open(user);
    await resumed.end;
  });

  it('when the files have changed since it began: it is asked anew, once', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    put(user.project, { 'more.txt': 'newer work' });
    expect(await stop(user, 'There is more.', '4')).toContain(` wait ${loop}\n`);
    expect(someRun(pids)).toBe(false);
    await expect.poll(() => ran(user).filter(isRunning).length, { timeout: 20_000 }).toBe(2);
    open(user);
    expect((await user.tireless(['wait', loop])).stdout).toContain('✓ slow');
    expect(await stop(user, CLAIM)).toBe('');
    expect(stateOf(user, loop)).toMatchObject({ status: 'completed', counted: 1 });
  });

  it('when whoever ran it was killed, before it is asked anew', async () => {
    const user = aUser({ 'done.txt': '' });
    const { loop, pids } = await leftBehind(user);
    const jobs = path.join(user.home, 'jobs', loop);
    for (const name of readdirSync(jobs).filter((found) => found.endsWith('.worker.json')))
      process.kill((JSON.parse(readFileSync(path.join(jobs, name), 'utf8')) as { pid: number }).pid, 'SIGKILL');
    expect(await stop(user, 'There is more.', '4')).toContain(` wait ${loop}\n`);
    expect(someRun(pids)).toBe(false);
  });
});

/** A check that takes longer than the host lets a hook last. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { State } from '../../src/core/loop.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const CLAIM = 'All of it.\n<promise>DONE</promise>';

/** The check waits until the test opens its door, which stands outside of the project: no clock decides. */
async function armed(user: User): Promise<string> {
  const door = path.join(user.home, 'door');
  put(user.home, { door: '' });
  // Whatever happens in the test: the check behind the door ends before its home is gone.
  onTestFinished(async () => {
    open(user);
    const isOver = async (): Promise<boolean> => (await user.tireless(['wait', '--timeout', '1ms'])).code !== 4;
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  });
  const check = `slow:: while [ ! -f ${door} ]; do sleep 0.1; done; test -f done.txt`;
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
  it('goes on outside of it, is waited for, and the iteration is judged once', async () => {
    const user = aUser({ 'done.txt': '' });
    const loop = await armed(user);
    expect(await stop(user, CLAIM, '3')).toContain(`tireless wait ${loop}`);
    expect(await user.tireless(['wait', loop, '--timeout', '300ms'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('still run') as string,
    });
    // Who does not wait is told again, and nothing is counted.
    expect(await stop(user, 'I stopped at once.', '2')).toContain(`tireless wait ${loop}`);
    expect(stateOf(user, loop)).toMatchObject({ status: 'running', counted: 0, faults: 0 });
    open(user);
    const waited = await user.tireless(['wait', loop]);
    expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ slow') as string });
    expect(await stop(user, 'I have waited.')).toBe('');
    expect(stateOf(user, loop)).toMatchObject({ status: 'completed', counted: 1, outcome: { verified: true } });
  });

  it('is asked again when the files were changed after it began', async () => {
    const user = aUser({ 'done.txt': '' });
    const loop = await armed(user);
    expect(await stop(user, CLAIM, '3')).toContain('tireless wait');
    rmSync(path.join(user.project, 'done.txt'));
    open(user);
    await user.tireless(['wait', loop]);
    // It passed or failed while the file went away: only what is there now counts.
    expect(await stop(user, 'I have waited.')).toContain('fails with exit code 1');
    expect(stateOf(user, loop)).toMatchObject({ status: 'running', counted: 1 });
  });

  it('survives a hook that is killed, and its answer is used', async () => {
    const user = aUser({ 'done.txt': '' });
    const loop = await armed(user);
    const hook = user.starts(['hook', 'claude-code'], hookOptions(user, CLAIM, '60'));
    await expect
      .poll(async () => (await user.tireless(['wait', loop, '--timeout', '1ms'])).code, { timeout: 20_000 })
      .toBe(4);
    hook.child.kill('SIGKILL');
    await hook.end;
    expect(stateOf(user, loop).counted).toBe(0);
    open(user);
    expect(await stop(user, CLAIM)).toBe('');
    expect(stateOf(user, loop)).toMatchObject({ status: 'completed', counted: 1 });
  });
});

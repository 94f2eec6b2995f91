/** Settings that give the hook less time than was installed, and checks that need more. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const SECONDS = 9;

/** The check waits for the door, so it outlasts every hook; the door opens when the test ends. */
async function shortened(): Promise<User> {
  const user = aUser();
  expect(await user.tireless(['install', 'claude-code', '--yes'])).toMatchObject({ code: 0 });
  const settings = path.join(user.env['HOME'] ?? '', '.claude/settings.json');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replaceAll('"timeout": 600', `"timeout": ${SECONDS}`));
  onTestFinished(async () => {
    put(user.home, { door: '' });
    const isOver = async (): Promise<boolean> => (await user.tireless(['wait', '--timeout', '1ms'])).code !== 4;
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  });
  return user;
}

/** As a host does: whoever takes longer is killed, and has said nothing. */
async function hook(user: User, payload: string): Promise<string> {
  const running = user.starts(['hook', 'claude-code'], { stdin: payload });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), SECONDS * 1000);
  const { stdout } = await running.end;
  clearTimeout(timer);
  return stdout;
}

describe('a hook that the settings give less time than the checks need', () => {
  it('reports it once, when the loop begins, and asks the agent to wait at each stop', async () => {
    const user = await shortened();
    const began = await hook(
      user,
      JSON.stringify({
        session_id: 'session-1',
        cwd: user.project,
        hook_event_name: 'UserPromptExpansion',
        command_name: 'ralph',
        command_args: `"paint the shed" --check "slow:: while [ ! -f ${user.home}/door ]; do sleep 0.1; done; false"`,
      }),
    );
    expect(began).toContain(`the settings let its hooks run for ${SECONDS} s, and the checks take longer`);
    expect(began).toContain('paint the shed');
    const [first, second] = [await hook(user, aStop(user.project, 'a')), await hook(user, aStop(user.project, 'b'))];
    for (const reply of [first, second]) {
      expect(reply).toMatch(/ wait \S/u);
      expect(reply).not.toContain('the settings let its hooks run');
    }
  });
});

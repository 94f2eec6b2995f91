/** The trial of the clean room takes longer than the hook that starts the loop: it goes on while the agent works. */
import { rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { State } from '../../src/core/loop.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const SHOP = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.test.sh':
    'echo 1..1; [ "$(sh src/add.sh 1 2)" = 3 ] && echo "ok 1 - adds" || { echo "not ok 1 - adds"; exit 1; }\n',
};
const SOLVED = { ...SHOP, 'src/add.sh': 'echo $(($1 + $2))\n' };
const CHEATED = { ...SHOP, 'test/add.test.sh': 'echo 1..1; echo "ok 1 - adds"\n' };
/** For a hook that is to leave early, and for one that has all the time. */
const SHORT = '20';
const LONG = '600';

/** In the room the check waits until the test opens its door: no clock decides. */
const check = ({ home }: User): string =>
  `unit:: case "$PWD" in */rooms/*) while [ ! -f ${home}/door ]; do sleep 0.1; done;; esac; sh test/add.test.sh`;
const open = ({ home }: User): void => put(home, { door: '' });

function stateOf({ home }: User): State {
  const store = openFileStore({ home });
  const [loaded] = store.list({ ended: 'both' });
  store.close();
  if (loaded === undefined) throw new Error('no loop');
  return loaded.state;
}

type Reply = { readonly systemMessage?: string; readonly hookSpecificOutput?: { readonly additionalContext: string } };

async function stop(user: User, seconds = LONG): Promise<Reply> {
  const { code, stdout } = await user.tireless(['hook', 'claude-code'], {
    stdin: aStop(user.project, `I am done (${Math.random()}).`),
    env: { TIRELESS_HOOK_SECONDS: seconds },
  });
  expect(code).toBe(0);
  return JSON.parse(stdout) as Reply;
}

async function armed(user: User): Promise<string> {
  onTestFinished(async () => {
    open(user);
    const isOver = async (): Promise<boolean> => (await user.tireless(['wait', '--timeout', '1ms'])).code !== 4;
    await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
    rmSync(user.home, { recursive: true, force: true });
  });
  const args = ['start', 'paint the shed', '--session', 'session-1', '--check', check(user)];
  const { code, stdout } = await user.tireless(args, { env: { TIRELESS_HOOK_SECONDS: SHORT } });
  expect(code).toBe(0);
  return stdout;
}

describe('a trial of the clean room that outlasts the start', () => {
  it('continues while the agent works, is waited for, and then judges the work as at the start', async () => {
    const user = aUser(SHOP);
    expect(await armed(user)).toContain('the checks are still being tried in the clean room');
    expect(stateOf(user).room).toMatchObject({
      kind: 'kept',
      fits: [],
      trial: { voucher: expect.any(String) as string },
    });
    expect((await user.tireless(['status'])).stdout).toContain('still being tried in the clean room');
    // What the agent does meanwhile does not reach the copy.
    put(user.project, CHEATED);
    const told = await stop(user, SHORT);
    expect(told.hookSpecificOutput?.additionalContext).toMatch(/ wait \S+\n/u);
    expect(stateOf(user)).toMatchObject({ status: 'running', counted: 0 });
    open(user);
    const caught = await stop(user);
    expect(stateOf(user).room).toMatchObject({ fits: [{ name: 'unit', fit: true, tests: { ran: 1, failed: 1 } }] });
    expect(stateOf(user).room).not.toHaveProperty('trial');
    expect(caught.systemMessage).toContain('the checks work in the clean room');
    expect(caught.hookSpecificOutput?.additionalContext).toContain('`test/add.test.sh`: modified');
    put(user.project, SOLVED);
    await stop(user);
    expect(stateOf(user)).toMatchObject({ status: 'completed', outcome: { verified: true, level: 'room' } });
  });
});

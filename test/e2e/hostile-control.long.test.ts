import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeAgent, isRunning, pidIn } from '../support/fake-agents.ts';
import { codeIn, expectNothingLost, onlyLoop, within } from '../support/fake-agents/watch.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const GONE_MS = 8000;
/** The first turn forks and stays; a later one works for a moment and claims. */
const script = (user: User): string =>
  `cat > prompt; echo "$TIRELESS_ITERATION" >> turns; if [ -e pid ]; then sleep 0.5; echo '<promise>DONE</promise>'; else ${fakeAgent('double-forks', path.join(user.project, 'pid'), 'stays')}; fi`;

/** In the middle of its first turn, without a namespace, with a detached process of the agent. */
async function aTurn() {
  const user = aUser();
  const running = user.starts(['run', 'goal', '--no-contain', '--agent-command', script(user)]);
  const detached = await pidIn(path.join(user.project, 'pid'));
  const { id } = await onlyLoop(user);
  const turns = (): readonly string[] => readFileSync(path.join(user.project, 'turns'), 'utf8').trim().split('\n');
  return { user, running, detached, id, turns };
}

describe('tireless killed with -9 in the middle of a turn', () => {
  it('takes the agent and its detached children along', async () => {
    const { running, detached, user, id } = await aTurn();
    running.child.kill('SIGKILL');
    await running.end;
    await within(GONE_MS, 'the detached process is gone', () => !isRunning(detached));
    await expectNothingLost(user, id);
  });

  it('is followed at once by a resume whose agent nobody takes for an orphan', async () => {
    const { running, detached, user, id, turns } = await aTurn();
    running.child.kill('SIGKILL');
    const { code, stdout } = await user.tireless(['resume', id]);
    expect(code).toBe(0);
    expect(stdout).toContain('took over from process');
    expect(stdout).toContain('1 iteration,');
    // One fault, the death of the driver; the second turn ended as it should.
    expect(stdout).toContain(', 1 fault,');
    expect(turns()).toEqual(['1', '1']);
    expect(isRunning(detached)).toBe(false);
    await expectNothingLost(user, id);
  });

  it('is followed by exactly one of several resumes', async () => {
    const { running, user, id, turns } = await aTurn();
    running.child.kill('SIGKILL');
    await running.end;
    const resumes = await Promise.all([1, 2, 3].map(() => user.tireless(['resume', id])));
    const refusals = resumes.filter(({ code }) => code !== 0);
    expect(refusals.map(({ code }) => code)).toEqual([1, 1]);
    for (const refused of refusals) {
      expect(codeIn(refused)).toBe('LOOP_BUSY');
      expect(refused.stderr).toContain(`tireless status ${id}`);
      expect(refused.stderr).not.toContain('go on with');
    }
    expect(turns()).toEqual(['1', '1']);
    await expectNothingLost(user, id);
  });
});

describe('a turn that others interfere with', () => {
  it.each([
    ['pause', 4, 'paused'],
    ['cancel', 5, 'cancelled'],
  ] as const)('is ended with all its processes by a %s from elsewhere', async (command, code, status) => {
    const { running, detached, user, id } = await aTurn();
    expect((await user.tireless([command, id])).code).toBe(0);
    expect((await running.end).code).toBe(code);
    expect(isRunning(detached)).toBe(false);
    expect(await onlyLoop(user)).toMatchObject({ status });
    await expectNothingLost(user, id);
  });

  it('carries a message into the next prompt though it was killed and runs again', async () => {
    const { running, user, id } = await aTurn();
    const said = 'never touch the "$(public)" API';
    expect((await user.tireless(['steer', id, said])).code).toBe(0);
    running.child.kill('SIGKILL');
    await running.end;
    expect((await user.tireless(['resume', id])).code).toBe(0);
    expect(readFileSync(path.join(user.project, 'prompt'), 'utf8')).toContain(said);
    await expectNothingLost(user, id);
  });

  it('leaves nothing after the second Ctrl-C, and the next resume continues', async () => {
    const user = aUser();
    const pidFile = path.join(user.project, 'pid');
    const stubborn = `[ -e go ] && exec echo '<promise>DONE</promise>'; ${fakeAgent('ignores-sigterm', pidFile)}`;
    const running = user.starts(['run', 'goal', '--no-contain', '--agent-command', stubborn]);
    const pid = await pidIn(pidFile);
    running.child.kill('SIGINT');
    await running.says('Ctrl-C again');
    running.child.kill('SIGINT');
    expect((await running.end).code).toBe(130);
    await within(GONE_MS, 'the agent is gone', () => !isRunning(pid));
    writeFileSync(path.join(user.project, 'go'), '');
    expect(existsSync(pidFile)).toBe(true);
    expect((await user.tireless(['resume'])).code).toBe(0);
    await expectNothingLost(user, (await onlyLoop(user)).id);
  });
});

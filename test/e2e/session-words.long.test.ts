/** What a user of a session reads names what can be typed there. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aUser } from '../support/run-cli.ts';
import { hook, onlyLoop, stop, typed } from '../support/session-hook.ts';

const CHECK = '--check "test -f done.txt"';

describe('a loop that a limit has halted', () => {
  it('names the typed command that continues it, and continues with it', async () => {
    const user = aUser();
    const begun = await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    expect(begun.systemMessage).toContain('(at most 1 iteration).');
    const halted = await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    expect(halted.systemMessage).toContain(`continue with more: /ralph --resume ${loop} --max-iterations 2`);

    const status = await typed(user, 'ralph-status');
    expect(status.reason).toContain('no loop is open here. /ralph "goal" starts one.');
    expect(status.reason).toContain(`The last one of this session, ${loop}, is halted: 1 of 1 iterations used`);
    expect(status.reason).toContain(`continue: /ralph --resume ${loop} --max-iterations 2`);

    expect((await typed(user, 'ralph', '--resume')).reason).toContain(
      `halted: 1 of 1 iterations used, 1 check still fails: test -f done.txt. Raise that limit, for example: /ralph --resume ${loop} --max-iterations 2`,
    );
    const resumed = await typed(user, 'ralph', '--resume --max-iterations=2');
    expect(resumed.systemMessage).toContain(`loop ${loop} continues with "paint the shed"`);
    expect(resumed.hookSpecificOutput?.additionalContext).toContain('paint the shed');
    put(user.project, { 'done.txt': '' });
    expect((await stop(user, 'two')).systemMessage).toContain('completed, verified');
    expect(onlyLoop(user).state).toMatchObject({ status: 'completed', counted: 2, faults: 0 });
    expect((await typed(user, 'ralph', `--resume ${loop}`)).reason).toContain('it is completed, verified');
    expect((await typed(user, 'ralph', '--resume')).reason).toContain(
      'none is open, and none was halted. /ralph "goal"',
    );
  });

  it('continues although a newer loop of the session has ended since', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    await typed(user, 'ralph', '"something else"');
    await typed(user, 'cancel-ralph');
    await typed(user, 'ralph', `--resume ${loop} --max-iterations 3`);
    expect((await stop(user, 'two')).hookSpecificOutput?.additionalContext).toContain('iteration 3 of 3');
  });

  it('continues by a terminal too, although a newer loop of the session has ended since', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    await typed(user, 'ralph', '"something else"');
    const resume = ['resume', loop, '--max-iterations', '3'];
    expect((await user.tireless(resume)).stderr).toMatch(/LOOP_STATE: Cannot continue loop \S+ .*it already has loop/u);
    await typed(user, 'cancel-ralph');
    expect(await user.tireless(resume)).toMatchObject({ code: 4, stderr: '' });
    await hook(user, 'UserPromptSubmit', { prompt: 'please continue' });
    expect((await stop(user, 'two')).hookSpecificOutput?.additionalContext).toContain('iteration 3 of 3');
  });

  it('names the open loop that is in the way, not a limit', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    await typed(user, 'ralph', '"something else"');
    const { reason } = await typed(user, 'ralph', `--resume ${loop} --max-iterations 50`);
    expect(reason).toMatch(
      /Cannot continue loop \S+ here: this session already works on loop \S+ \("something else"\)/u,
    );
    expect(reason).toContain('/cancel-ralph ends it');
    expect(reason).not.toContain('Raise that limit');
  });

  it('stays with its session, which is not notified, when no limit was raised', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const { state } = onlyLoop(user);
    const there = { session_id: 'session-2' };
    expect((await typed(user, 'ralph', '--resume', there)).reason).toContain(
      'Raise that limit, for example: /ralph --',
    );
    const agent = ['--agent-command', 'touch done.txt'];
    for (const flags of [['--session', 'session-2'], agent]) {
      const { code, stderr } = await user.tireless(['resume', state.loop, ...flags]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Raise that limit')]);
    }
    expect(onlyLoop(user).state).toEqual(state);
    expect(await stop(user, 'two')).toEqual({});
  });

  it('is still halted when a terminal cannot give it back to its session', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    rmSync(path.join(user.home, 'armed'), { recursive: true });
    put(user.home, { armed: 'no folder' });
    expect((await user.tireless(['resume', loop, '--max-iterations', '3'])).code).not.toBe(4);
    expect(onlyLoop(user).state.status).toBe('halted');
  });

  it('continues in another session', async () => {
    const user = aUser();
    await typed(user, 'ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
    await stop(user, 'one');
    const there = { session_id: 'session-2' };
    await typed(user, 'ralph', '--resume --max-iterations 3', there);
    expect((await stop(user, 'two', there)).hookSpecificOutput?.additionalContext).toContain('iteration 3 of 3');
    expect(onlyLoop(user).state.session?.id).toBe('session-2');
  });

  it('names the terminal where no command was typed', async () => {
    const user = aUser();
    await user.tireless(['start', 'goal', '--session', 'session-1', '--check-exists', 'x', '--max-iterations', '1']);
    expect((await stop(user, 'one')).systemMessage).toContain(`tireless resume ${onlyLoop(user).state.loop} --max-it`);
  });
});

it('refuses a new limit that a running loop has already used', async () => {
  const user = aUser();
  await typed(user, 'ralph', `"paint the shed" ${CHECK}`);
  await stop(user, 'one');
  await stop(user, 'two');
  const { loop } = onlyLoop(user).state;
  const { reason } = await typed(user, 'ralph', '--resume --max-iterations 1');
  expect(reason).toContain('within these limits: it has used 2 iterations');
  expect(reason).toContain(`/ralph --resume ${loop} --max-iterations 22`);
  expect(onlyLoop(user).state).toMatchObject({ status: 'running', faults: 0 });
});

it('names the commands of a plugin as they are typed', async () => {
  const user = aUser();
  await typed(user, 'tireless:ralph', `"paint the shed" ${CHECK} --max-iterations 1`);
  expect((await stop(user, 'one')).systemMessage).toContain('/tireless:ralph --resume');
});

it('names the typed commands that approve and reject', async () => {
  const user = aUser();
  await typed(user, 'ralph', '"paint the shed" --approve-finish');
  const paused = await stop(user, '<promise>DONE</promise>');
  expect(paused.systemMessage).toContain('approve: /ralph-approve; reject: /ralph-reject TEXT');
  expect((await typed(user, 'ralph-status')).reason).toMatch(
    /approve: +\/ralph-approve\n +reject: +\/ralph-reject TEXT/u,
  );
  expect((await hook(user, 'SessionStart', { source: 'resume' })).systemMessage).toContain('approve: /ralph-approve');
});

it('asks for an answer in the session when the agent is blocked', async () => {
  const user = aUser();
  await typed(user, 'ralph', `"paint the shed" ${CHECK}`);
  await stop(user, '<blocked>which colour?</blocked>');
  expect((await typed(user, 'ralph-status')).reason).toContain('just answer here');
});

it('names the loops of other sessions where there is none to cancel', async () => {
  const user = aUser();
  await typed(user, 'ralph', `"paint the shed" ${CHECK}`);
  const { reason } = await typed(user, 'cancel-ralph', '', { session_id: 'session-2' });
  expect(reason).toContain(
    `this session has no open loop. Open elsewhere in this project: ${onlyLoop(user).state.loop}`,
  );
});

it('names the typed command that ends a loop in the way of another', async () => {
  const user = aUser();
  await typed(user, 'ralph', `"paint the shed" ${CHECK}`);
  expect((await typed(user, 'ralph', `"mow the lawn" ${CHECK}`)).reason).toMatch(
    /this session already works on loop \S+ \("paint the shed"\)\. \/cancel-ralph ends it/u,
  );
});

it('/ralph-status counts the time since the last event, as a terminal does', async () => {
  const user = aUser();
  const begun = await typed(user, 'ralph', `--approve-finish ${CHECK} "paint the shed"`);
  expect(begun.systemMessage).toContain('until "test -f done.txt" passes, and you approve (at most 20 iterations).');
  put(user.env['HOME'] ?? '', { '.claude/projects/p/session-1.jsonl': '{}\n' });
  const iteration = /iteration: 1 of 20, \d+s of 4h/u;
  const status = async (): Promise<string> => (await typed(user, 'ralph-status')).reason ?? '';
  await expect.poll(status, { timeout: 20_000, interval: 100 }).toMatch(iteration);
  expect((await user.tireless(['status'])).stdout).toMatch(iteration);
});

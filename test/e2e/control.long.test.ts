import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopView } from '../../src/views/loop-view.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const read = 'cat >/dev/null';
/** Works until somebody makes the file `go`. */
const SLOW = `cat > prompt-$TIRELESS_ITERATION; echo started; while [ ! -e go ]; do sleep 0.05; done`;

const idOf = (text: string): string => /loop (\d{6}-\d{4}-\w{6})/.exec(text)?.[1] ?? '';

async function loopsOf(user: User, command = 'list'): Promise<readonly LoopView[]> {
  return (JSON.parse((await user.tireless([command, '--json'])).stdout) as { loops: LoopView[] }).loops;
}

/** A run that hangs in its first iteration. */
async function aRunning(user: User, ...args: readonly string[]) {
  const running = user.starts(['run', 'goal', '--agent-command', SLOW, '--check-exists', 'go', ...args]);
  await running.says('iteration 1 of');
  await until(() => existsSync(path.join(user.project, 'prompt-1')));
  const [view] = await loopsOf(user, 'status');
  return { running, loop: view?.id ?? '' };
}

function letGo(user: User): void {
  writeFileSync(path.join(user.project, 'go'), '');
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('looking at loops', () => {
  it('shows an ended loop in list and history, not in status, in one JSON shape', async () => {
    const user = aUser();
    const { stdout } = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; touch x`,
      '--check-exists',
      'x',
      '--json',
    ]);
    const view = JSON.parse(stdout) as LoopView;
    expect(await loopsOf(user, 'list')).toEqual([view]);
    expect(await loopsOf(user, 'history')).toEqual([view]);
    expect(await loopsOf(user, 'status')).toEqual([]);
    expect((await user.tireless(['status'])).stdout).toContain('no open loops');
    expect((await user.tireless(['status', view.id.slice(0, 8)])).stdout).toContain('completed, verified');
    expect((await user.tireless(['list'])).stdout).toMatch(/completed +verified +\d+s +1 +\S+ +goal/);
  });

  it('explains every decision in sentences and replays it to the same answer', async () => {
    const user = aUser();
    const claim = "printf '<promise>DONE</promise>\\n'";
    await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; [ -e x ] && touch y; touch x; ${claim}`,
      '--check',
      'unit:: test -e y',
    ]);
    const explained = await user.tireless(['explain']);
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain('the agent claimed DONE, which was refused: a claim is not proof');
    expect(explained.stdout).toContain('=> completed, verified (clean room): check "unit" passed');
    const replayed = await user.tireless(['replay']);
    expect(replayed.code).toBe(0);
    expect(replayed.stdout).toContain('every decision is the same');
  });

  it('tells which loops fit when a name fits several or none', async () => {
    const user = aUser();
    for (const goal of ['one', 'two'])
      await user.tireless(['run', goal, '--agent-command', `${read}; echo '<blocked>x</blocked>'`]);
    const several = await user.tireless(['resume', '2']);
    expect([several.code, several.stderr]).toEqual([
      1,
      expect.stringMatching(/LOOP_AMBIGUOUS[^]*one[^]*two|LOOP_AMBIGUOUS[^]*two[^]*one/),
    ]);
    const none = await user.tireless(['cancel', 'nosuch']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('LOOP_NOT_FOUND')]);
  });

  it('is silent when its reader leaves', async () => {
    const user = aUser();
    const running = user.starts(['help', 'run']);
    running.child.stdout?.destroy();
    expect(await running.end).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a running loop', () => {
  it('says who drives it, refuses a second driver, and takes a message for its next prompt', async () => {
    const user = aUser();
    const { running, loop } = await aRunning(user, '--check', 'test -e prompt-2');
    expect((await user.tireless(['status'])).stdout).toContain(`driver:    process ${running.child.pid} is alive`);
    const second = await user.tireless(['resume', loop]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('LOOP_BUSY')]);
    expect((await user.tireless(['resume'])).stderr).toMatch(
      new RegExp(`LOOP_BUSY: Loop ${loop} is running .*"tireless status ${loop}".*"tireless pause ${loop}"`, 'u'),
    );
    expect(await user.tireless(['steer', loop, 'mind the gap'])).toMatchObject({
      code: 0,
      stdout: `added to the next prompt of loop ${loop}: "mind the gap"\n`,
    });
    expect(await user.tireless(['steer', 'nope', 'mind the dog'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LOOP_NOT_FOUND: There is no loop "nope".*in quotes/u) as string,
    });
    expect((await user.tireless(['steer', '--', '--also this'])).code).toBe(0);
    letGo(user);
    expect((await running.end).code).toBe(0);
    const prompt = readFileSync(path.join(user.project, 'prompt-2'), 'utf8');
    expect(prompt).toContain('mind the gap');
    expect(prompt).not.toContain('mind the dog');
    expect(prompt).toContain('--also this');
  });

  it('keeps a resume without a name from starting another loop beside it', async () => {
    const user = aUser();
    const halted = await user.tireless(['run', 'older', '--agent-command', 'true', '--max-iterations', '1']);
    expect(halted.code).toBe(3);
    const { running, loop } = await aRunning(user);
    const bare = await user.tireless(['resume', '--max-iterations', '2']);
    expect([bare.code, bare.stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`LOOP_BUSY: Loop ${loop} is running .*name it: tireless resume \\S+`, 'u')),
    ]);
    letGo(user);
    await running.end;
  });

  it('is paused from another terminal, and resumed there to the end', async () => {
    const user = aUser();
    const { running, loop } = await aRunning(user);
    expect((await user.tireless(['pause'])).stdout).toBe(`paused loop ${loop}; resume with: tireless resume ${loop}\n`);
    const paused = await running.end;
    expect(paused.code).toBe(4);
    expect(paused.stdout).toContain(`paused at iteration 1; resume with: tireless resume ${loop}`);
    expect((await user.tireless(['pause', loop])).stderr).toContain('LOOP_STATE');
    const resumed = user.starts(['resume']);
    await resumed.says('iteration 1 of 20 (again)');
    letGo(user);
    expect(await resumed.end).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('completed, verified') as string,
    });
    expect((await user.tireless(['logs'])).stdout).toMatch(/started\n {2}\[this iteration runs again\]\n {2}started/u);
    expect((await user.tireless(['explain'])).stdout).toContain('The prompt was delivered to the agent again.');
  });

  it('is cancelled from another terminal for good', async () => {
    const user = aUser();
    const { running, loop } = await aRunning(user);
    expect((await user.tireless(['cancel', loop])).code).toBe(0);
    expect((await running.end).code).toBe(5);
    for (const command of ['resume', 'cancel', 'pause']) {
      expect((await user.tireless([command, loop])).stderr).toContain('LOOP_ENDED');
    }
    expect((await user.tireless(['cancel', loop])).stderr).toContain(`LOOP_ENDED: Loop ${loop} is already cancelled.`);
  });

  it('is paused by one Ctrl-C, says how to resume, and leaves no agent behind', async () => {
    const user = aUser();
    const { running, loop } = await aRunning(user);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.end;
    expect(code).toBe(4);
    expect(stdout).toContain(`paused at iteration 1; resume with: tireless resume ${loop}`);
    expect((await loopsOf(user))[0]).toMatchObject({ status: 'paused', iteration: 1, pause: { cause: 'user' } });
  });

  it('is left at once by two Ctrl-C, and taken over by the next resume', async () => {
    const user = aUser();
    const stubborn = `trap '' TERM; ${SLOW}`;
    const running = user.starts(['run', 'goal', '--agent-command', stubborn, '--check-exists', 'go']);
    await until(() => existsSync(path.join(user.project, 'prompt-1')));
    running.child.kill('SIGINT');
    await running.says('Ctrl-C again');
    running.child.kill('SIGINT');
    expect((await running.end).code).toBe(130);
    letGo(user);
    expect((await user.tireless(['resume'])).code).toBe(0);
  });

  it('survives kill -9: the next resume continues at the same iteration', async () => {
    const user = aUser();
    const { running, loop } = await aRunning(user);
    running.child.kill('SIGKILL');
    await running.end;
    expect((await user.tireless(['status'])).stdout).toMatch(/process \d+ is dead; continue with: tireless resume/);
    const resumed = user.starts(['resume', loop]);
    await resumed.says('iteration 1 of 20 (again)');
    expect((await user.tireless(['cancel', loop])).code).toBe(0);
    expect((await resumed.end).code).toBe(5);
  });
});

describe('a loop that waits', () => {
  it('is halted, says which limit to raise, and continues when it is raised', async () => {
    const user = aUser();
    const halted = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      `${read}; echo x >> log`,
      '--check',
      '[ "$(wc -l < log)" -ge 3 ]',
      '--max-iterations',
      '1',
    ]);
    expect(halted.code).toBe(3);
    const refused = await user.tireless(['resume']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/LOOP_STATE: .*1 of 1 iterations used.*--max-iterations 2/),
    ]);
    expect((await user.tireless(['status'])).stdout).toMatch(
      /no open loops[^]*is halted: [^]*tireless resume \S+ --max-iterations \d+/u,
    );
    const resumed = await user.tireless(['resume', idOf(halted.stdout), '--max-iterations=5']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('3 iterations');
  });

  it('completes verified when a human approves, and continues with the reason when one refuses', async () => {
    const user = aUser();
    const script = `cat > prompt; touch x`;
    const asked = await user.tireless([
      'run',
      'goal',
      '--agent-command',
      script,
      '--check-exists',
      'x',
      '--approve-finish',
    ]);
    expect([asked.code, asked.stdout]).toEqual([4, expect.stringMatching(/approve: +tireless approve/)]);
    expect((await user.tireless(['reject', 'not pretty enough'])).stdout).toContain('continue with: tireless resume');
    expect((await user.tireless(['resume'])).code).toBe(4);
    expect(readFileSync(path.join(user.project, 'prompt'), 'utf8')).toContain('not pretty enough');
    expect((await user.tireless(['approve'])).stdout).toContain('completed, verified');
    expect((await user.tireless(['approve', idOf(asked.stdout)])).stderr).toContain('LOOP_STATE');
  });

  it('is never resumed by its own agent', async () => {
    const user = aUser();
    const { stdout } = await user.tireless(['run', 'goal', '--agent-command', `${read}; echo '<blocked>x</blocked>'`]);
    const { code, stderr } = await user.tireless(['resume', idOf(stdout)], { env: { TIRELESS_LOOP: idOf(stdout) } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('AGENT_REFUSED')]);
  });
});

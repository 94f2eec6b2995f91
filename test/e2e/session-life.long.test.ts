/** A loop inside a session, as the hooks of a host tell of it: typed, stopped, interrupted, compacted, taken along, cancelled. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';
import type { HookAnswer as Answer } from '../support/session-hook.ts';
import { hook, onlyLoop, stop, typed } from '../support/session-hook.ts';

/** `kill -9` while the checks are asked for the first time. */
async function armedAndKilled(user: User): Promise<void> {
  const check = 'test -f began || { touch began; sleep 1; }; test -f done.txt';
  const stdin = JSON.stringify({
    session_id: 'session-1',
    cwd: user.project,
    hook_event_name: 'UserPromptExpansion',
    expansion_type: 'command',
    command_name: 'ralph',
    command_args: `"paint the shed" --check "${check}"`,
  });
  const { child, end } = user.starts(['hook', 'claude-code'], { stdin });
  await expect.poll(() => existsSync(path.join(user.project, 'began')), { timeout: 10_000, interval: 10 }).toBe(true);
  child.kill('SIGKILL');
  await end;
}

const context = (answer: Answer): string => answer.hookSpecificOutput?.additionalContext ?? '';
const NASTY = 'Fix the "cart" — it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH%\n\tsecond line 🧨 <b>; exit 1';

/** The agent may stop, and the user reads why. */
const COMPLETED = { systemMessage: expect.stringContaining('tireless: completed, verified') as unknown };

describe('a loop typed into a session', () => {
  it('says when a quote that was left open has taken an option into the goal, and keeps the goal', async () => {
    const user = aUser();
    const begun = await typed(user, 'ralph', '"paint the shed --check "test -f done.txt"');
    expect(begun.systemMessage).toContain('The goal contains "--check"');
    expect(onlyLoop(user).spec.goal).toBe('paint the shed --check "test -f done.txt');
  });

  it('takes the goal byte for byte, loops until the check passes, and refuses a false claim', async () => {
    const user = aUser();
    const begun = await typed(user, 'tireless:ralph', `"${NASTY}" --check "test -f done.txt" --claim DONE`);
    expect(context(begun)).toContain(NASTY.split('\n')[0]);
    // As the plugin calls it: that is how it was typed.
    expect(begun.systemMessage).toContain('/tireless:cancel-ralph');
    expect(begun.systemMessage).toContain('until "test -f done.txt" passes (at most 20 iterations).');
    expect(begun.systemMessage).not.toContain('The goal contains');
    expect(onlyLoop(user).spec.goal).toBe(NASTY);

    const again = await stop(user, 'All good.\n<promise>DONE</promise>');
    expect(context(again)).toMatch(
      /^\[tireless:2\] DONE refused: "test -f done.txt" fails; continues with iteration 2 of 20\.\n/u,
    );
    expect(context(again)).toContain('test -f done.txt');
    put(user.project, { 'done.txt': '' });
    expect(await stop(user, 'Now it is.\n<promise>DONE</promise>')).toEqual(COMPLETED);
    expect(onlyLoop(user).state).toMatchObject({ status: 'completed', outcome: { verified: true }, counted: 2 });
    // Nothing wakes for this session any more.
    expect(readdirSync(path.join(user.home, 'armed', 'claude-code'))).toEqual([]);
  });

  it('tells what was typed wrong, and asks no model', async () => {
    const user = aUser();
    expect(await typed(user, 'ralph', '"goal" --max-iteration 3')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('--max-iterations') as string,
    });
    expect((await typed(user, 'ralph')).reason).toContain('/ralph "goal"');
    expect((await typed(user, 'ralph-help')).reason).toContain('--check');
    expect((await typed(user, 'cancel-ralph')).reason).toContain('no open loop');
    expect((await typed(user, 'ralph-status')).reason).toContain('no loop is open');
    expect(existsSync(path.join(user.home, 'loops'))).toBe(false);
  });

  it('leaves a second session of the same project alone, and another command of that name too', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'go');
    expect(await stop(user, 'hello', { session_id: 'session-2' })).toEqual({});
    expect(await typed(user, 'other')).toEqual({});
    expect((await typed(user, 'ralph', 'again')).reason).toContain('/cancel-ralph ends it');
    expect(onlyLoop(user).state.counted).toBe(0);
  });

  it('is shown and cancelled', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'write it --max-iterations 7');
    const asked = context(await stop(user, 'one'));
    const shown = (await typed(user, 'ralph-status')).reason;
    expect(shown).toContain('of this session:');
    expect(shown).toContain('iteration: 2 of 7');
    expect((await typed(user, 'cancel-ralph')).reason).toContain('was cancelled after 1 iteration;');
    // A host that kept what the stop asked for in a queue hands it over now.
    const late = await hook(user, 'UserPromptSubmit', { prompt: asked });
    expect(late).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('the loop has moved on') as string,
    });
    expect(await stop(user, 'two')).toEqual({});
    expect(onlyLoop(user).state.status).toBe('cancelled');
  });
});

describe('the life of its session', () => {
  it('holds the limit exactly', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'go --max-iterations 3');
    expect(context(await stop(user, 'one'))).toContain('iteration 2');
    expect(context(await stop(user, 'two'))).toContain('This is the last iteration.');
    const last = await stop(user, 'three');
    expect(last.hookSpecificOutput).toBeUndefined();
    expect(last.systemMessage).toContain('3 of 3 iterations used');
    expect(onlyLoop(user).state).toMatchObject({ status: 'halted', counted: 3 });
  });

  it('says the goal and what is open again after a compaction, and counts nothing', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'paint the shed --check "test -f done.txt"');
    await stop(user, 'one');
    const after = await hook(user, 'SessionStart', { source: 'compact' });
    expect(context(after)).toContain('paint the shed');
    expect(context(after)).toContain('test -f done.txt');
    // Whoever typed /compact has to begin the next turn himself.
    expect(after.systemMessage).toContain('write to it to continue');
    expect(onlyLoop(user).state).toMatchObject({ counted: 1, faults: 0 });
  });

  it('continues under its own number when the session comes back after a crash', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'paint the shed');
    await stop(user, 'one');
    const back = await hook(user, 'SessionStart', { source: 'resume' });
    expect(context(back)).toContain('runs again: the session ended in the middle of it');
    expect(context(back)).toContain('paint the shed');
    expect(back.systemMessage).toContain('continues in this session (paint the shed)');
    // Some hosts put the start of a session far from the prompt that it begins with.
    expect(context(await hook(user, 'UserPromptSubmit', { prompt: 'go on' }))).toContain('paint the shed');
    expect(onlyLoop(user).state).toMatchObject({ counted: 1, faults: 1, status: 'running' });
  });

  it.each([
    ['the next prompt', (user: User) => hook(user, 'UserPromptSubmit', { prompt: 'and?' })],
    ['the next stop', (user: User) => stop(user, 'The hook did not run.')],
    ['a session that comes back', (user: User) => hook(user, 'SessionStart', { source: 'resume' })],
    ['a user who says so', (user: User) => typed(user, 'ralph', '--resume')],
  ])('begins at %s when the hook that armed it was killed', async (_name, next) => {
    const user = aUser();
    await armedAndKilled(user);
    expect(onlyLoop(user).state.status).toBe('pending');
    expect(context(await next(user))).toContain('paint the shed');
    expect(onlyLoop(user).state).toMatchObject({ status: 'running', phase: 'working', counted: 0, faults: 0 });
    put(user.project, { 'done.txt': '' });
    // The check was cut at the start, so it may have passed before the agent began: a green check alone does not end the loop.
    expect(await stop(user, 'It is painted.\n<promise>DONE</promise>')).toEqual(COMPLETED);
    expect(onlyLoop(user).state).toMatchObject({ status: 'completed', counted: 1, outcome: { verified: true } });
  });

  it('is offered to a new session of the project, and continues there only when the user says so', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'paint the shed');
    await stop(user, 'one');
    const other = { session_id: 'session-2' };
    const cleared = await hook(user, 'SessionStart', { source: 'clear', ...other });
    const { loop } = onlyLoop(user).state;
    expect(cleared.systemMessage).toContain(`/ralph --resume ${loop}`);
    expect(await stop(user, 'hello', other)).toEqual({});
    expect(context(await typed(user, 'ralph', `--resume ${loop}`, other))).toContain('paint the shed');
    expect(context(await stop(user, 'two', other))).toContain('iteration 3');
    const left = await stop(user, 'old session');
    expect(left).toEqual({ systemMessage: expect.stringContaining('was taken to the session session-2') as unknown });
    expect(await stop(user, 'old session')).toEqual({});
    expect(onlyLoop(user).state).toMatchObject({ counted: 2, session: { id: 'session-2' } });
  });

  it('lets the user speak first, and continues when they answer what it waited for', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'paint the shed');
    const spoken = await hook(user, 'UserPromptSubmit', { prompt: 'make it blue' });
    expect(context(spoken)).toContain('What the user says now comes first');
    expect(await hook(user, 'UserPromptSubmit', { prompt: '' })).toEqual({});
    const asked = await stop(user, 'Which blue?\n<blocked>the shade of blue</blocked>');
    expect(asked.systemMessage).toContain('the shade of blue; just answer here, and the loop continues');
    expect(onlyLoop(user).state.status).toBe('paused');
    // Who comes back to it is told what it waits for.
    const back = await hook(user, 'SessionStart', { source: 'resume' });
    expect(back.systemMessage).toContain('the shade of blue');
    expect(back.systemMessage).toContain('just answer here');
    expect(context(await hook(user, 'UserPromptSubmit', { prompt: 'dark blue' }))).toContain('paint the shed');
    expect(onlyLoop(user).state).toMatchObject({ status: 'running', counted: 1 });
  });

  it('defers a stop while background work runs, and counts none of a subagent', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'go');
    expect(await stop(user, 'waiting', { background_tasks: [{ id: 'b', status: 'running' }] })).toEqual({
      systemMessage: expect.stringContaining('still has work in the background') as unknown,
    });
    expect(await hook(user, 'SubagentStop', { agent_id: 'a', last_assistant_message: 'x' })).toEqual({});
    expect(onlyLoop(user).state).toMatchObject({ counted: 0, status: 'running' });
  });

  it('refuses tools once the time of the iteration is up', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'go --iteration-timeout 1ms');
    const refused = await hook(user, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
    expect(refused.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  });

  it('lets the agent stop and reports it when the journal is broken', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'go');
    const { loop } = onlyLoop(user).state;
    put(user.home, { [`loops/${loop}/journal.jsonl`]: 'no journal at all\n' });
    const { code, stdout } = await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, 'one') });
    const answer = JSON.parse(stdout) as Answer;
    expect(code).toBe(0);
    expect(answer.hookSpecificOutput).toBeUndefined();
    expect(answer.systemMessage).toContain('The agent was allowed to stop.');
  });
});

describe('a session that something else keeps going', () => {
  const plugin =
    '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\nsession_id: session-1\n---\n\nmake it\n';

  it('refuses a second loop, and says how to end the other one', async () => {
    const user = aUser({ '.claude/ralph-loop.local.md': plugin });
    expect((await typed(user, 'ralph', 'go')).reason).toContain('tireless import .claude/ralph-loop.local.md');
    expect(existsSync(path.join(user.home, 'loops'))).toBe(false);
  });

  it('watches it when asked to: judges, writes down, and never sends the agent back', async () => {
    const user = aUser({ '.claude/ralph-loop.local.md': plugin });
    await typed(user, 'ralph', 'go --observe --check "test -f done.txt"');
    expect(await stop(user, 'one')).toEqual({});
    expect(onlyLoop(user).state).toMatchObject({ counted: 1, status: 'running' });
    put(user.project, { 'done.txt': '' });
    await stop(user, 'two');
    expect(onlyLoop(user).state).toMatchObject({ status: 'completed', outcome: { verified: true } });
  });
});

describe('a loop that leaves its session', () => {
  it('continues outside with the same counters', async () => {
    const user = aUser();
    await typed(user, 'ralph', 'paint the shed --check "test -f done.txt"');
    await stop(user, 'one');
    const { loop } = onlyLoop(user).state;
    // Nobody knows whether the session will go on: it stays there, and the user is told how to take it out.
    const stays = await user.tireless(['resume', loop]);
    expect(stays).toMatchObject({ code: 1, stdout: '' });
    expect(stays.stderr).toContain(`tireless resume ${loop} --agent claude-code`);
    const agent = ['--agent-command', 'cat > prompt.txt; touch done.txt'];
    expect((await user.tireless(['resume', loop, ...agent])).stderr).toContain('LOOP_BUSY');
    const resumed = await user.tireless(['resume', loop, '--force', ...agent]);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain('leaves its session');
    const { state } = onlyLoop(user);
    expect(state).toMatchObject({ status: 'completed', counted: 2, session: null, outcome: { verified: true } });
    expect((await stop(user, 'late')).systemMessage).toContain('was taken out of this session');
    expect(await stop(user, 'later')).toEqual({});
    expect((await user.tireless(['replay', loop])).code).toBe(0);
  });
});

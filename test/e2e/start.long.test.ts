/** `tireless start`: a loop for a session, as real processes see it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { LoopView } from '../../src/views/loop-view.ts';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const SESSION = ['--session', 'session-1'];
const NASTY = 'say "hi", run `id` and $(rm -rf /), C:\\new\n\tnext line 🦊 ${HOME}';

type Reply = { readonly hookSpecificOutput?: { readonly additionalContext: string } };

async function stop(user: User, message: string, session = 'session-1'): Promise<Reply> {
  const stdin = aStop(user.project, message, { session_id: session });
  const { code, stdout } = await user.tireless(['hook', 'claude-code'], { stdin });
  expect(code).toBe(0);
  return JSON.parse(stdout) as Reply;
}

async function started(user: User, args: readonly string[]): Promise<{ loop: LoopView; prompt: string }> {
  const { code, stdout, stderr } = await user.tireless(['start', ...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { loop: LoopView; prompt: string };
}

describe('tireless start', () => {
  it('arms a loop that the stop hook of its session, and of no other, continues with until the check passes', async () => {
    const user = aUser();
    const { loop, prompt } = await started(user, [NASTY, ...SESSION, '--check', 'test -f done.txt']);
    expect(loop).toMatchObject({
      goal: NASTY,
      status: 'running',
      iteration: 1,
      session: 'session-1',
      host: 'claude-code',
    });
    expect(prompt).toContain(NASTY);
    expect(await stop(user, 'not yet', 'session-2')).toEqual({});
    expect((await stop(user, '<promise>DONE</promise>')).hookSpecificOutput?.additionalContext).toContain(
      'iteration 2',
    );
    put(user.project, { 'done.txt': '' });
    expect(await stop(user, 'now')).toEqual({
      systemMessage: expect.stringContaining('completed, verified') as unknown,
    });
    const history = await user.tireless(['history']);
    expect(history.stdout).toContain('verified');
    expect((await user.tireless(['explain', loop.id])).code).toBe(0);
    expect((await user.tireless(['replay', loop.id])).code).toBe(0);
  });

  it('says what was armed, what ends it and the limits, and then the first prompt as it is', async () => {
    const user = aUser();
    const check = ['--check', 'unit:: true', '--holdout', 'true', '--iteration-timeout', '45m'];
    const { code, stdout } = await user.tireless(['start', NASTY, ...SESSION, ...check]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^armed loop \S+ for the session session-1 \(claude-code\)\n/);
    expect(stdout).toContain(
      '  ends:     the check passes: unit; 1 hold-out check too; the agent claims <promise>DONE</promise>\n',
    );
    expect(stdout).toContain(
      '  limits:   20 iterations, 4h, 3 faults in a row, 3 iterations without progress, 45m an iteration\n',
    );
    expect(stdout).toContain(NASTY);
    expect(stdout).not.toContain('\u001B');
  });

  it('takes the session it is called in, and another host by name', async () => {
    const user = aUser();
    const env = { CLAUDE_CODE_SESSION_ID: 'session-9' };
    expect((await user.tireless(['start', 'make it'], { env })).stdout).toContain(
      'for the session session-9 (claude-code)',
    );
    const elsewhere = { CLAUDE_CODE_SESSION_ID: 'session-8' };
    const other = await user.tireless(['start', 'make it', '--host', 'codex'], { env: elsewhere });
    expect(other).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Give --session ID') as string,
    });
    expect((await started(user, ['make it', '--host', 'codex', ...SESSION])).loop.host).toBe('codex');
  });

  it('makes a loop of a template, and of TODOs with a tracker that has to be ticked', async () => {
    const user = aUser({ 'TODO.md': '- [ ] add tests\n- [x] read\n' });
    const templated = await started(user, ['the cart', '--template', 'debug', '--session', 'other']);
    expect(templated.loop).toMatchObject({ goal: expect.stringContaining('Find and fix: the cart') as string });
    expect(templated.loop.limits.iterationsMax).toBe(12);
    const { loop } = await started(user, ['--from-todos', 'TODO.md', ...SESSION]);
    expect(await stop(user, '<promise>DONE</promise>')).toHaveProperty('hookSpecificOutput');
    const tracker = path.join('.tireless', `tracker-${loop.id}.md`);
    put(user.project, { [tracker]: readFileSync(path.join(user.project, tracker), 'utf8').replace('[ ]', '[x]') });
    expect(await stop(user, '<promise>DONE</promise>')).toEqual({
      systemMessage: expect.stringContaining('completed, unverified') as unknown,
    });
  });

  it('refuses a session that has a loop until that one is cancelled', async () => {
    const user = aUser();
    const { loop } = await started(user, ['first', ...SESSION]);
    const refused = await user.tireless(['start', 'second', ...SESSION]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`LOOP_STATE: `);
    expect(refused.stderr).toContain(`"tireless cancel ${loop.id}"`);
    expect((await user.tireless(['cancel', loop.id])).code).toBe(0);
    expect((await started(user, ['second', ...SESSION])).loop.goal).toBe('second');
  });

  it('arms one loop when several ask for the same session at once', async () => {
    const user = aUser();
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((goal) => user.tireless(['start', goal, ...SESSION])));
    expect(all.map(({ code }) => String(code)).toSorted()).toEqual(['0', '1', '1', '1']);
    const store = openFileStore({ home: user.home });
    const loops = store.list({ ended: 'both' });
    const [running, ...more] = loops.filter(({ state }) => state.status === 'running');
    expect(more).toEqual([]);
    expect(store.loopOfSession({ host: 'claude-code', id: 'session-1' })).toBe(running?.state.loop);
    for (const { state } of loops) expect(replay(store.entries(state.loop)).differences).toEqual([]);
    store.close();
  });

  it('says at the start, typed or in a terminal, that checks that pass already prove nothing', async () => {
    const user = aUser();
    const words = 'every check passes already, so the agent also has to claim';
    const armed = await user.tireless(['start', 'make it', ...SESSION, '--check', 'true']);
    expect(armed.stdout).toContain(words);
    const payload = {
      hook_event_name: 'UserPromptExpansion',
      session_id: 'session-2',
      cwd: user.project,
      expansion_type: 'command',
      command_name: 'ralph',
      command_args: '"make it" --check true',
    };
    const typed = await user.tireless(['hook', 'claude-code'], { stdin: JSON.stringify(payload) });
    expect(typed.stdout).toContain(words);
    const agent = ['--agent-command', 'cat >/dev/null; echo "<promise>DONE</promise>"'];
    const run = ['run', 'make it', ...agent, '--check', 'true'];
    expect((await user.tireless(run)).stdout).toContain(words);
    expect((await user.tireless([...run, '--dry-run'])).stdout).toContain('if every check passes already at the start');
    const red = await user.tireless(['run', 'make it', ...agent, '--check', 'false', '--max-iterations', '1']);
    expect(red.stdout).not.toContain(words);
  });

  it('cancels the loop over a check that cannot be run, unless that is allowed', async () => {
    const user = aUser();
    const missing = ['make it', ...SESSION, '--check', 'no-such-check'];
    const refused = await user.tireless(['start', ...missing]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('CHECK_NOT_RUNNABLE') as string,
    });
    expect((await started(user, [...missing, '--allow-missing-check'])).loop.status).toBe('running');
  });

  it.each([
    ['no session', ['make it'], 'Give --session ID'],
    ['no goal', SESSION, 'The goal is empty'],
    ['an unknown host', ['make it', ...SESSION, '--host', 'emacs'], 'it takes one of claude-code'],
    ['a limit nobody can compare with', ['make it', ...SESSION, '--max-cost', '3'], 'Leave out --max-cost'],
    ['an agent', ['make it', ...SESSION, '--agent-command', 'x'], 'Unknown flag --agent-command'],
  ])('refuses %s, and starts nothing', async (_what, args, message) => {
    const user = aUser();
    const env = { CLAUDE_CODE_SESSION_ID: '' };
    const ran = await user.tireless(['start', ...args], { env });
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
    expect((await user.tireless(['list', '--json'])).stdout).toContain('"loops":[]');
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/dialects');

async function stop(someone: User, dialect: string, session: string): Promise<{ code: number | null; stdout: string }> {
  const payload = {
    session_id: session,
    cwd: someone.project,
    hook_event_name: 'Stop',
    last_assistant_message: `not yet, says ${session}`,
  };
  return someone.tireless(['hook', 'claude-code', '--dialect', dialect], { stdin: JSON.stringify(payload) });
}

async function wrote(someone: User, prompt: string): Promise<{ code: number | null; stdout: string }> {
  const payload = { session_id: 'a', cwd: someone.project, hook_event_name: 'UserPromptSubmit', prompt };
  return someone.tireless(['hook', 'claude-code'], { stdin: JSON.stringify(payload) });
}

describe('a loop in the session of an agent', () => {
  it('continues in another session on the word of the user', async () => {
    const someone = aUser({
      '.loop/state.json': readFileSync(path.join(FIXTURES, 'loop-mechanics/documented.json'), 'utf8'),
    });
    const unmet = { ok: false, reason: 'unmet: no lint errors' };
    expect(JSON.parse((await stop(someone, 'loop-mechanics', 'a')).stdout)).toEqual(unmet);

    const stay = await someone.tireless(['resume']);
    const [, loop = ''] = /tireless resume (\S+) --session ID/u.exec(stay.stdout) ?? [];
    expect(stay).toMatchObject({ code: 0, stderr: '' });
    const refused = await someone.tireless(['resume', loop, '--session', 'b']);
    expect(refused.stderr).toMatch(/LOOP_BUSY: .*active \d+ seconds? ago in another session \(a of claude-code\)/u);
    const moved = await someone.tireless(['resume', loop, '--session', 'b', '--force']);
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expect(moved.stdout).toContain('its next stop is judged; write something in that session');

    expect(JSON.parse((await stop(someone, 'loop-mechanics', 'a')).stdout)).toMatchObject({ ok: true });
    expect(JSON.parse((await stop(someone, 'loop-mechanics', 'b')).stdout)).toEqual(unmet);
  });

  it('that is blocked needs a message there: "resume" says so, and exits with 4', async () => {
    const someone = aUser({});
    await someone.tireless(['start', 'paint the shed', '--session', 'a']);
    const payload = {
      session_id: 'a',
      cwd: someone.project,
      hook_event_name: 'Stop',
      last_assistant_message: '<blocked>which colour?</blocked>',
    };
    await someone.tireless(['hook', 'claude-code'], { stdin: JSON.stringify(payload) });
    expect((await someone.tireless(['steer', 'green'])).stdout).toContain('the next prompt of loop');
    const resumed = await someone.tireless(['resume']);
    expect(resumed).toMatchObject({ code: 4, stderr: '' });
    expect(resumed.stdout).toMatch(/its agent is idle: write to it in its session \(claude-code a\)/u);
    expect(resumed.stdout).toContain('--agent claude-code');
    expect(resumed.stdout).not.toContain('continues in its session');
    expect((await wrote(someone, 'go on')).stdout).toContain('green');
  });

  it('that you paused shows that at its next stop; then its agent is idle, and "resume" says so', async () => {
    const someone = aUser({});
    await someone.tireless(['start', 'paint the shed', '--session', 'a']);
    expect((await someone.tireless(['pause'])).stdout).toContain(
      '\nthe agent works until it next stops, and is not sent back then\n',
    );
    const early = await someone.tireless(['resume']);
    expect(early).toMatchObject({ code: 0, stdout: expect.stringContaining('continues in its session') });
    expect((await someone.tireless(['status'])).stdout).not.toContain('stalled');
    await someone.tireless(['pause']);
    const stopped = { session_id: 'a', cwd: someone.project, hook_event_name: 'Stop', last_assistant_message: 'hm' };
    const shown = await someone.tireless(['hook', 'claude-code'], { stdin: JSON.stringify(stopped) });
    expect(JSON.parse(shown.stdout)).toEqual({
      systemMessage: expect.stringMatching(/^tireless: paused: you paused it; continue: tireless resume \S+$/u),
    });
    const resumed = await someone.tireless(['resume']);
    expect(resumed).toMatchObject({ code: 4, stdout: expect.stringContaining('its agent is idle') });
    expect((await someone.tireless(['status'])).stdout).toContain(
      'stalled: the agent is idle; write to it in its session',
    );
    expect((await wrote(someone, 'go on')).stdout).toContain('paint the shed');
  });

  it('takes along a file that names its session', async () => {
    const file = '.supercoin/ralph-loop-state.json';
    const text = readFileSync(path.join(FIXTURES, 'supercode/started.json'), 'utf8');
    const someone = aUser({ [file]: text });
    expect((await stop(someone, 'supercode', 'ses_5f2c81')).stdout).not.toBe('');
    const { stdout: before } = await someone.tireless(['status']);
    expect(before).toContain('session:   claude-code ses_5f2c81');
    expect(before).not.toContain('driver:');
    const moved = await someone.tireless(['resume', '--session', 'b', '--force', '--json']);
    expect(JSON.parse(moved.stdout)).toMatchObject({ session: 'b', host: 'claude-code' });
    const now = readFileSync(path.join(someone.project, file), 'utf8');
    expect(JSON.parse(now)).toMatchObject({ sessionId: 'b', iteration: 2 });

    await stop(someone, 'supercode', 'ses_5f2c81');
    expect(readFileSync(path.join(someone.project, file), 'utf8')).toBe(now);
    await stop(someone, 'supercode', 'b');
    expect(JSON.parse(readFileSync(path.join(someone.project, file), 'utf8'))).toMatchObject({ iteration: 3 });
  });

  it('refuses a host without a session, one that does not exist, and an empty session', async () => {
    const someone = aUser();
    const answers = await Promise.all(
      [
        ['--host', 'codex'],
        ['--session', 'b', '--host', 'nobody'],
        ['--session', ' '],
      ].map(async (flags) => someone.tireless(['resume', ...flags])),
    );
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(answers[0]?.stderr).toContain('Give --session ID too');
    expect(answers[1]?.stderr).toContain('it takes one of claude-code');
    expect(answers[2]?.stderr).toContain('empty --session');
  });

  it('is not what tireless drives itself', async () => {
    const someone = aUser();
    await someone.tireless(['run', 'x', '--agent-command', 'true', '--check', 'false', '--max-iterations', '1']);
    const { code, stderr } = await someone.tireless(['resume', '--session', 'b', '--max-iterations', '2']);
    expect(code).toBe(2);
    expect(stderr).toContain('tireless starts its agents. Leave out --session.');
  });
});

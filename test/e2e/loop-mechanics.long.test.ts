import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileTasks, openLoopMechanics } from '../../src/facades/loop-mechanics/index.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../fixtures/dialects/loop-mechanics/documented.json');

function user(): User {
  return aUser({ '.loop/state.json': readFileSync(FIXTURE, 'utf8') });
}

async function stop(someone: User, more: Record<string, unknown> = {}): Promise<unknown> {
  const payload = {
    session_id: 's1',
    cwd: someone.project,
    hook_event_name: 'Stop',
    last_assistant_message: 'hm',
    ...more,
  };
  const { code, stdout } = await someone.tireless(
    ['hook', 'claude-code', '--dialect', 'loop-mechanics', '--reply', 'ok'],
    {
      stdin: JSON.stringify(payload),
    },
  );
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('Loop mechanics from a shell', () => {
  it('answers a stop with ok and reason, and lets go of an agent that stands still', async () => {
    const someone = user();
    const answers: unknown[] = [];
    for (const active of [false, true, true, true]) answers.push(await stop(someone, { stop_hook_active: active }));
    expect(answers.slice(0, 3)).toEqual(
      Array.from({ length: 3 }, () => ({ ok: false, reason: 'unmet: no lint errors' })),
    );
    expect(answers[3]).toEqual({ ok: true, reason: 'stopped: no-progress (limit 3)' });
  });

  it('is paused and resumed by the commands that are printed, in its session', async () => {
    const someone = user();
    await stop(someone);
    const paused = await someone.tireless(['pause']);
    const [, command = ''] = /resume with: tireless (resume \S+)/u.exec(paused.stdout + paused.stderr) ?? [];
    expect(await stop(someone)).toMatchObject({ ok: true });
    const resumed = await someone.tireless(command.split(' '));
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(resumed.stdout).toContain('continues in its session');
    expect(await stop(someone, { last_assistant_message: 'again' })).toEqual({
      ok: false,
      reason: 'unmet: no lint errors',
    });
  });

  it('announces to another session how it takes the loop over, and to its own only where to continue', async () => {
    const someone = user();
    const start = async (session: string): Promise<string> => {
      const payload = { session_id: session, cwd: someone.project, hook_event_name: 'SessionStart', source: 'startup' };
      const { stdout } = await someone.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], {
        stdin: JSON.stringify(payload),
      });
      const said = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
      return said.hookSpecificOutput.additionalContext;
    };
    await stop(someone);
    const [own, announced] = await Promise.all([start('s1'), start('s2')]);
    expect(own).toMatch(/Resume with: step2$/u);
    const [, command = ''] = /tireless (resume \S+ --session s2)$/u.exec(announced) ?? [];
    // Its agent was at work a moment ago: nobody takes it by accident.
    const busy = await someone.tireless(command.split(' '));
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('LOOP_BUSY') as string });
    expect(busy.stderr).toContain('--session s2 --force');
    expect((await someone.tireless([...command.split(' '), '--force'])).code).toBe(0);
    expect(await stop(someone, { session_id: 's2' })).toEqual({ ok: false, reason: 'unmet: no lint errors' });
    expect((await someone.tireless(['pause'])).code).toBe(0);
    const [paused, odd] = await Promise.all([start('s2'), start('$(id)')]);
    expect(paused).toMatch(/paused.*tireless resume \S+$/u);
    expect(odd).toMatch(/tireless resume \S+ --session ID$/u);
  });

  it('keeps the task of a loop that a program started, to its completion', async () => {
    const someone = aUser();
    const loop = openLoopMechanics({ project: someone.project, session: 's1', home: someone.home });
    const started = loop.start('Make `npm test` pass in src/a.ts:\n1. one\n2. two');
    loop.close();
    if (started.kind !== 'started') throw new Error(started.kind);
    const task = () => fileTasks(someone.home, someone.project).TaskGet(started.task.id);
    await stop(someone);
    expect(task()).toMatchObject({ status: 'in_progress', metadata: { iteration: 2 } });
    const file = path.join(someone.project, '.loop/state.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(': false', ': true'));
    expect(await stop(someone, { last_assistant_message: '<loop-complete>' })).toEqual({
      ok: true,
      reason: 'complete',
    });
    expect(task()).toMatchObject({ status: 'completed' });
  });

  it('reads the last message from a transcript below the home directory, as the document names it', async () => {
    const someone = user();
    const file = path.join(someone.project, '.loop/state.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(': false', ': true'));
    const line = {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: '<loop-complete>' }] },
    };
    writeFileSync(path.join(someone.home, 'abc123.jsonl'), `${JSON.stringify(line)}\n`);
    const payload = {
      session_id: 'abc123',
      transcript_path: '~/abc123.jsonl',
      cwd: someone.project,
      hook_event_name: 'Stop',
      stop_hook_active: true,
    };
    const { stdout } = await someone.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], {
      stdin: JSON.stringify(payload),
      env: { HOME: someone.home, USERPROFILE: someone.home },
    });
    expect(stdout).toBe('{"ok":true,"reason":"complete"}\n');
  });

  it('scores a goal for people and for scripts', async () => {
    const someone = aUser();
    const goal = 'Make `npm test` pass in src/a.ts';
    expect((await someone.tireless(['score', goal])).stdout).toContain('9 of 10: a goal for a tool');
    expect(JSON.parse((await someone.tireless(['score', goal, '--json'])).stdout)).toMatchObject({
      points: 9,
      shape: 'tool',
    });
    expect((await someone.tireless(['score', ' '])).code).toBe(2);
  });
});

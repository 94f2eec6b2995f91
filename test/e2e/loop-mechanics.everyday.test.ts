import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(resumed.stdout).toContain('goes on in its session');
    expect(await stop(someone, { last_assistant_message: 'again' })).toEqual({
      ok: false,
      reason: 'unmet: no lint errors',
    });
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

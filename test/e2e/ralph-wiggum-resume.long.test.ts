import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const VAULT = 'AI_Employee_Vault';
const FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
const STATE = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'make it',
  max_iterations: 1,
  completion_promise: 'OK',
  started_at: '2026-01-19T10:00:00Z',
  pause_between_iterations: 0,
});

async function stop(user: User, message: string, more = {}): Promise<string> {
  const ran = await user.tireless(['hook', 'claude-code', '--dialect', 'ralph-wiggum'], {
    stdin: aStop(user.project, message, more),
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout;
}

function stateOf(user: User): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(user.project, FILE), 'utf8')) as Record<string, unknown>;
}

function historyOf(user: User): readonly string[] {
  return readdirSync(path.join(user.project, VAULT, 'Ralph_History'));
}

describe('tireless resume of a Ralph Wiggum loop that has ended', () => {
  it('puts its file back with the raised maximum, and gives exactly the iterations left', async () => {
    const user = aUser({ [FILE]: STATE });
    expect(await stop(user, 'one')).toContain('(iteration 1/1)');
    expect(await stop(user, 'two')).toContain('Max iterations reached');
    expect([existsSync(path.join(user.project, FILE)), historyOf(user)]).toEqual([false, ['RALPH_1.json']]);
    expect((await user.tireless(['resume', '--max-iterations', '3'])).code).toBe(0);
    expect(stateOf(user)).toMatchObject({
      status: 'running',
      max_iterations: 3,
      current_iteration: 1,
      iterations: [{ number: 1 }, { number: 2, output_preview: 'two' }],
    });
    expect(historyOf(user)).toEqual([]);
    expect(await stop(user, 'three')).toContain('(iteration 2/3)');
    expect(await stop(user, 'four')).toContain('(iteration 3/3)');
    expect(await stop(user, 'five')).toContain('Max iterations reached');
    expect(historyOf(user)).toEqual(['RALPH_1.json']);
  });

  it('puts its file back after a fatal error', async () => {
    const user = aUser({ [FILE]: STATE });
    await stop(user, 'one');
    const failed = { hook_event_name: 'StopFailure', error: 'authentication_failed' };
    expect(await stop(user, 'Invalid API key', failed)).toContain('REVIEW_RALPH_1_2.md');
    expect(historyOf(user)).toEqual(['RALPH_1.json']);
    expect((await user.tireless(['resume'])).code).toBe(0);
    expect(stateOf(user)).toMatchObject({ status: 'running', max_iterations: 1, current_iteration: 1, errors: [{}] });
    expect(historyOf(user)).toEqual([]);
    expect(await stop(user, 'two')).toContain('Max iterations reached');
  });
});

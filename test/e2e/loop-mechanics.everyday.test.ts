import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileTasks } from '../../src/facades/loop-mechanics/index.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const GOAL = [
  'Make `npm test` pass in src/price.js:',
  '1. write the failing test',
  '2. fix the rounding',
  '',
  'Done when:',
  '- npm test passes',
  '- no lint errors',
].join('\n');

type State = Record<string, unknown>;

const fileOf = (user: User): string => path.join(user.project, '.loop/state.json');
const stateOf = (user: User): State => JSON.parse(readFileSync(fileOf(user), 'utf8')) as State;

async function stop(user: User, message: string): Promise<unknown> {
  const { code, stdout } = await user.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], {
    stdin: aStop(user.project, message),
    env: { CLAUDE_PROJECT_DIR: user.project },
  });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('tireless start --dialect loop-mechanics', () => {
  it('is the Start of the document: steps, criteria, score, shape, every field, and a task that follows', async () => {
    const user = aUser();
    const started = await user.tireless(['start', GOAL, '--dialect', 'loop-mechanics', '--max-cost', '25']);
    expect(started).toMatchObject({ code: 0, stderr: '' });
    expect(started.stdout).toMatch(/^ {2}score: +\d+ of 10: a goal for a tool/mu);
    expect(started.stdout).toMatch(/^ {2}limits: +\d+ iterations, \$25\.00$/mu);
    expect(started.stdout).toMatch(/^ {2}budget: +.*"cost".*pauses/mu);
    expect(started.stdout).toContain('keep "cost" in .loop/state.json');
    expect(stateOf(user)).toEqual({
      spec: GOAL,
      criteria: ['npm test passes', 'no lint errors'],
      criteriaStatus: { 'npm test passes': false, 'no lint errors': false },
      steps: ['write the failing test', 'fix the rounding'],
      completedSteps: [],
      remainingSteps: ['write the failing test', 'fix the rounding'],
      iteration: 1,
      status: 'in_progress',
      shape: 'tool',
      score: expect.any(Number) as number,
      cost: 0,
      budget: 25,
      maxIterations: expect.any(Number) as number,
      startedAt: expect.any(String) as string,
      lastCheckpoint: expect.any(String) as string,
      errors: [],
    });
    const [task, ...more] = fileTasks(user.home, user.project).TaskList();
    expect(more).toEqual([]);
    expect(task).toMatchObject({
      subject: 'Complete: Make `npm test` pass in src/price.js:',
      status: 'in_progress',
      metadata: { iteration: 1, cost: 0, shape: 'tool', budget: 25, remainingSteps: stateOf(user)['remainingSteps'] },
    });

    writeFileSync(fileOf(user), JSON.stringify({ ...stateOf(user), cost: 0.4 }));
    expect(await stop(user, 'hm')).toEqual({ ok: false, reason: 'unmet: npm test passes, no lint errors' });
    const after = fileTasks(user.home, user.project).TaskList();
    expect(after).toMatchObject([{ id: task?.id, metadata: { iteration: 2, cost: 0.4 } }]);
  });

  it('records a turn that failed in the file and in the task, retries once, and then pauses', async () => {
    const user = aUser({
      '.loop/state.json': JSON.stringify({ spec: 'x', criteriaStatus: { a: false }, remainingSteps: ['s'] }),
    });
    const fail = (error: string) =>
      user.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics', '--reply', 'json'], {
        stdin: aStop(user.project, '', { hook_event_name: 'StopFailure', error, error_details: 'overloaded' }),
        env: { CLAUDE_PROJECT_DIR: user.project },
      });
    expect(JSON.parse((await fail('server_error')).stdout)).toMatchObject({ decision: 'block' });
    expect((await fail('server_error')).stdout).toContain('paused');
    const error = { class: 'transient', step: 's', message: expect.stringContaining('overloaded') as string };
    expect(stateOf(user)['errors']).toMatchObject([error, error]);
    expect(fileTasks(user.home, user.project).TaskList()).toMatchObject([{ metadata: { errors: [error, error] } }]);
  });

  it('keeps a task for a loop that was begun by a file, to its completion', async () => {
    const user = aUser({
      '.loop/state.json': JSON.stringify({
        spec: 'original user request',
        criteria: ['test passes'],
        criteriaStatus: { 'test passes': false },
        steps: ['step1', 'step2'],
        completedSteps: ['step1'],
        remainingSteps: ['step2'],
        iteration: 2,
        status: 'in_progress',
      }),
    });
    await stop(user, 'hm');
    const tasks = fileTasks(user.home, user.project);
    expect(tasks.TaskList()).toMatchObject([
      {
        subject: 'Complete: original user request',
        description: 'original user request\n\nSuccess criteria:\n- test passes',
        status: 'in_progress',
        metadata: {
          iteration: 3,
          shape: 'colleague',
          startedAt: expect.any(String) as string,
          lastCheckpoint: expect.any(String) as string,
          completedSteps: ['step1'],
          remainingSteps: ['step2'],
          errors: [],
        },
      },
    ]);
    writeFileSync(fileOf(user), readFileSync(fileOf(user), 'utf8').replace(':false', ':true'));
    expect(await stop(user, '<loop-complete>')).toEqual({ ok: true, reason: 'complete' });
    expect(tasks.TaskList()).toMatchObject([{ status: 'completed' }]);
  });
});

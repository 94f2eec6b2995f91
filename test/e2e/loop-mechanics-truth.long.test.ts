import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileTasks, stopCheck } from '../../src/facades/loop-mechanics/index.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type State = Record<string, unknown>;

const HOOK = ['hook', 'claude-code', '--dialect', 'loop-mechanics'];

function withFile(changes: State = {}): User {
  const state = { spec: 'x', criteria: ['a'], criteriaStatus: { a: false }, remainingSteps: ['s'], iteration: 1 };
  return aUser({ '.loop/state.json': JSON.stringify({ ...state, status: 'in_progress', ...changes }) });
}

const fileOf = (user: User): string => path.join(user.project, '.loop/state.json');
const stateOf = (user: User): State => JSON.parse(readFileSync(fileOf(user), 'utf8')) as State;
const change = (user: User, changes: State): void =>
  writeFileSync(fileOf(user), JSON.stringify({ ...stateOf(user), ...changes }));

async function reply(user: User, args: readonly string[], more: State = {}): Promise<State> {
  const { code, stdout } = await user.tireless(args, {
    stdin: aStop(user.project, 'hm', more),
    env: { CLAUDE_PROJECT_DIR: user.project },
  });
  expect(code).toBe(0);
  return JSON.parse(stdout) as State;
}

const stop = (user: User, more: State = {}): Promise<State> => reply(user, HOOK, more);
const stopInClaude = (user: User): Promise<State> => reply(user, [...HOOK, '--reply', 'json']);

describe('the file of Loop mechanics', () => {
  it('sends the agent back when the file says "completed" before the first stop, and shows why', async () => {
    const user = withFile({ status: 'completed' });
    expect(await stopInClaude(user)).toMatchObject({
      decision: 'block',
      systemMessage: expect.stringContaining('.loop/state.json says "completed", but 1 criterion is open') as string,
    });
    expect(stateOf(user)['status']).toBe('in_progress');
  });

  it('keeps the agent at work when numbers are written as text', async () => {
    const user = withFile({ iteration: '2', maxIterations: '10', budget: '25', cost: '1.5' });
    expect(await stop(user)).toEqual({ ok: false, reason: 'unmet: a' });
    expect(stateOf(user)).toMatchObject({ iteration: 3, maxIterations: '10' });
  });

  it.each([{ iteration: 'two' }, { maxIterations: [] }, { status: 'maybe' }, { criteria: {} }])(
    'is reported by its name when a field can mean anything: %j',
    async (changes) => {
      const user = withFile(changes);
      const [field = ''] = Object.keys(changes);
      expect(await stopInClaude(user)).toEqual({
        systemMessage: expect.stringContaining(`.loop/state.json cannot be read (${field} is `) as string,
      });
      expect((await stop(user))['reason']).toContain(`.loop/state.json cannot be read: ${field} is `);
    },
  );

  it.each([
    { hook_event_name: 'SessionStart', source: 'startup' },
    { hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
  ])('is reported when it is corrupt, at $hook_event_name too', async (event) => {
    const user = withFile({ iteration: 'two' });
    expect(await reply(user, [...HOOK, '--reply', 'json'], event)).toEqual({
      systemMessage:
        'tireless: .loop/state.json cannot be read (iteration is "two", but must be a whole number from 0), so the agent may stop. Correct it or delete it.',
    });
  });

  it('reports on the screen that it ended the loop: switched off, or removed', async () => {
    const off = withFile();
    await stop(off);
    change(off, { status: 'stopped' });
    expect(await stopInClaude(off)).toEqual({
      systemMessage: expect.stringContaining('the loop is cancelled') as string,
    });
    const removed = withFile();
    await stop(removed);
    rmSync(fileOf(removed));
    expect(await stopInClaude(removed)).toEqual({
      systemMessage: expect.stringContaining('.loop/state.json was removed') as string,
    });
  });
});

describe('a turn that failed', () => {
  const fail = (user: User, error: string, details: string): Promise<State> =>
    reply(user, [...HOOK, '--reply', 'json'], { hook_event_name: 'StopFailure', error, error_details: details });

  it.each([
    ['authentication_failed', 'Please run /login', 'blocking', 'Help is needed'],
    ['billing_error', 'Your credit balance is too low', 'blocking', 'Help is needed'],
    ['unknown', 'it exploded', 'unknown', 'Guidance is needed'],
  ])('is classified, and the user is asked: %s', async (error, details, name, request) => {
    const user = withFile();
    const { systemMessage } = await fail(user, error, details);
    expect(systemMessage).toMatch(
      new RegExp(`^tireless: paused: ${error}: .*${request}.* Next .*: s\\. Resume with: tireless resume \\S+$`, 'u'),
    );
    expect(stateOf(user)['errors']).toMatchObject([{ class: name, step: 's' }]);
  });

  it('is tried once more when its words are about the network, whatever the host calls it', async () => {
    const user = withFile();
    expect(await fail(user, 'unknown', 'API Error: Connection error.')).toMatchObject({ decision: 'block' });
    expect((await fail(user, 'unknown', 'API Error: Connection error.'))['systemMessage']).toContain('paused: ');
    expect(stateOf(user)['errors']).toMatchObject([{ class: 'transient' }, { class: 'transient' }]);
  });
});

describe('a loop that is complete', () => {
  it('shows the summary report to the user', async () => {
    const user = withFile({ criteriaStatus: { a: true } });
    const answer = await reply(user, [...HOOK, '--reply', 'json'], { last_assistant_message: '<loop-complete>' });
    expect(answer).toEqual({
      systemMessage: expect.stringContaining('# Complete: x\n\n- result: completed') as string,
    });
    expect(answer['systemMessage']).toContain('- [x] a');
  });
});

describe('two hooks at once', () => {
  it('give the same answer to one stop', async () => {
    const user = withFile();
    const answers = await Promise.all([stop(user), stop(user), stop(user)]);
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ ok: false, reason: 'unmet: a' })));
  });

  it('of two sessions see whose loop it is', async () => {
    const user = withFile();
    const answers = await Promise.all([stop(user), stop(user, { session_id: 'session-2' })]);
    expect(answers.toSorted((one, other) => Number(one['ok']) - Number(other['ok']))).toEqual([
      { ok: false, reason: 'unmet: a' },
      {
        ok: true,
        reason: expect.stringMatching(/belongs to another session; .* tireless resume \S+ --session/u) as string,
      },
    ]);
  });
});

describe('a session that begins beside the loop of another one', () => {
  const begin = (user: User, transcript: string): Promise<State> =>
    reply(user, [...HOOK, '--reply', 'json'], {
      session_id: 's2',
      hook_event_name: 'SessionStart',
      source: 'startup',
      transcript_path: transcript,
    });
  const textsOf = (answer: State): readonly [string, string] => [
    String((answer['hookSpecificOutput'] as State)['additionalContext']),
    String(answer['systemMessage']),
  ];
  /** Its loop began so long ago, and its host has written nothing since. */
  function aLoopSince(ms: number): { readonly user: User; readonly transcript: string } {
    const user = withFile();
    const clock = { ...systemClock().read(), wallMs: Date.now() - ms };
    const payload = { session_id: 's1', cwd: user.project, last_assistant_message: 'hm' };
    stopCheck(payload, { home: user.home, clock: { read: () => clock } });
    return { user, transcript: path.join(user.home, 's2.jsonl') };
  }

  it('learns, with its user, that the loop continues here when that session is silent', async () => {
    const { user, transcript } = aLoopSince(60 * 60 * 1000);
    const [text, notice] = textsOf(await begin(user, transcript));
    expect(text).toContain('Its session is silent, so the loop continues in this session at the next stop.');
    expect(text).not.toContain('does not keep this one going');
    expect(notice).toContain('is silent, so the loop continues in this session at the next stop');
    expect(await stop(user, { session_id: 's2', transcript_path: transcript })).toMatchObject({ ok: false });
  });

  it('learns, with its user, how it takes the loop over when that session is at work', async () => {
    const { user, transcript } = aLoopSince(0);
    const [text, notice] = textsOf(await begin(user, transcript));
    expect(text).toContain('does not keep this one going');
    expect(notice).toMatch(/another session \(s1\) drives the loop .* tireless resume \S+ --session s2/u);
  });
});

describe('commands about a loop of Loop mechanics', () => {
  it('print a hook line that keeps the agent at work when it is pasted', async () => {
    const user = aUser();
    const { stdout } = await user.tireless(['start', 'Make `npm test` pass', '--dialect', 'loop-mechanics']);
    const [, line = ''] = /^ {2}hook: +tireless (.+)$/mu.exec(stdout) ?? [];
    expect(await reply(user, line.split(' '))).toMatchObject({ decision: 'block' });
  });

  it('update the task as they update the file', async () => {
    const user = aUser();
    await user.tireless(['start', 'Make `npm test` pass', '--dialect', 'loop-mechanics']);
    const tasks = fileTasks(user.home, user.project);
    const agrees = (): void => {
      const { iteration, lastCheckpoint, completedSteps, maxIterations } = stateOf(user);
      expect(tasks.TaskList()).toMatchObject([
        { metadata: { iteration, lastCheckpoint, completedSteps, maxIterations } },
      ]);
    };
    await stop(user);
    change(user, { completedSteps: ['Make `npm test` pass'], remainingSteps: [] });
    expect((await user.tireless(['pause'])).code).toBe(0);
    agrees();
    expect(tasks.TaskList()[0]?.metadata?.completedSteps).toEqual(['Make `npm test` pass']);
    expect((await user.tireless(['resume', '--max-iterations', '33'])).code).toBe(0);
    agrees();
    expect((await user.tireless(['cancel'])).code).toBe(0);
    agrees();
  });

  it('update the task of a loop that is cancelled before its first stop', async () => {
    const user = aUser();
    await user.tireless(['start', 'Make `npm test` pass', '--dialect', 'loop-mechanics']);
    expect((await user.tireless(['cancel'])).code).toBe(0);
    expect(fileTasks(user.home, user.project).TaskList()).toMatchObject([
      { metadata: { loop: expect.any(String) as string, lastCheckpoint: stateOf(user)['lastCheckpoint'] } },
    ]);
  });

  it('write a raised limit into the file, where it stays in force when the agent edits the file', async () => {
    const user = withFile({ maxIterations: 1 });
    expect(await stop(user)).toMatchObject({ ok: true, reason: 'stopped: iterations-max (limit 1)' });
    const resumed = await user.tireless([
      'resume',
      '--max-iterations',
      '4',
      '--max-cost',
      '9.5',
      '--max-no-progress',
      '7',
    ]);
    expect(resumed.code).toBe(0);
    expect(stateOf(user)).toMatchObject({ status: 'in_progress', maxIterations: 4, budget: 9.5 });
    change(user, { cost: 0.5, completedSteps: ['s'], remainingSteps: [] });
    expect(await stop(user, { stop_hook_active: true })).toEqual({ ok: false, reason: 'unmet: a' });
    expect((await user.tireless(['status', '--json'])).stdout).toMatch(/"noProgressMax": ?7/u);
    change(user, { note: 'edited once more' });
    expect(await stop(user)).toEqual({ ok: false, reason: 'unmet: a' });
    change(user, { note: 'and again' });
    expect(await stop(user)).toMatchObject({ ok: true, reason: 'stopped: iterations-max (limit 4)' });
  });

  it('leave no number behind that nobody asked for', async () => {
    const user = withFile();
    await stop(user);
    await user.tireless(['pause']);
    await user.tireless(['resume']);
    expect(Object.keys(stateOf(user))).not.toContain('maxIterations');
    expect(existsSync(fileOf(user))).toBe(true);
  });
});

/** After an API error, the hook of a state file brings the agent of Claude Code back, as `tireless install` sets it up. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Entry = {
  readonly hooks: readonly { readonly command: string; readonly asyncRewake?: boolean; readonly timeout?: number }[];
};
type Case = { readonly name: string; readonly file: string; readonly text: string };

const CASES: readonly Case[] = [
  {
    name: 'loop-mechanics',
    file: '.loop/state.json',
    text: JSON.stringify({ spec: 'make it', criteriaStatus: { a: false }, remainingSteps: ['s'], maxIterations: 9 }),
  },
  {
    name: 'ralph-wiggum',
    file: 'AI_Employee_Vault/Ralph_State/RALPH_1.json',
    text: JSON.stringify({
      id: 'RALPH_1',
      prompt: 'make it',
      iteration: 0,
      max_iterations: 9,
      completion_strategy: 'promise',
      completion_promise: 'TASK_COMPLETE',
      status: 'running',
      started_at: '2026-11-01T10:00:00.000Z',
    }),
  },
];

const FAILED = { hook_event_name: 'StopFailure', error: 'server_error', error_details: '529 overloaded' };
/** This is waited out longer than a test takes. */
const LIMITED = { ...FAILED, error: 'rate_limit', error_details: '429 too many requests' };

async function installed({ name, file, text }: Case): Promise<{ user: User; entry: Entry['hooks'][number] }> {
  const user = aUser({ [file]: text });
  const done = await user.tireless(['install', 'claude-code', '--dialect', name, '--yes']);
  expect(done).toMatchObject({ code: 0 });
  const settings = JSON.parse(readFileSync(path.join(user.project, '.claude/settings.local.json'), 'utf8')) as {
    hooks: Record<string, readonly Entry[]>;
  };
  const [entry] = settings.hooks['StopFailure']?.[0]?.hooks ?? [];
  if (entry === undefined) throw new Error('StopFailure is not registered');
  return { user, entry };
}

/** Runs what the settings say, as the host does. */
function runs(user: User, command: string, event: Record<string, unknown>) {
  const env = {
    ...user.env,
    CLAUDE_PROJECT_DIR: user.project,
    CLAUDE_CODE_SESSION_ID: 'session-1',
    CLAUDE_PID: String(process.pid),
  };
  const child = spawn('/bin/sh', ['-c', command], { cwd: user.project, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => (said[stream] += chunk.toString('utf8')));
  child.stdin.end(aStop(user.project, '', event));
  return {
    said,
    end: new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      child.on('close', (code) => resolve({ code, ...said }));
    }),
  };
}

const REPLIED = { timeout: 20_000, interval: 20 };

describe.each(CASES)('a turn that failed in a loop of $name', (each) => {
  it('is tried again after the backoff: the hook waits in the background and wakes the agent', async () => {
    const { user, entry } = await installed(each);
    expect(entry).toMatchObject({ asyncRewake: true });
    expect(entry.timeout).toBeGreaterThan(24 * 60 * 60);
    const { code, stdout, stderr } = await runs(user, entry.command, FAILED).end;
    expect(code).toBe(2);
    expect(stderr).toContain('make it');
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringMatching(
        /^tireless: the turn failed \(.*529 overloaded.*\).* tried again/u,
      ) as string,
    });
    const shown = await user.tireless(['status']);
    expect(shown.stdout).toContain('running');
  });

  it.each(['is deleted', 'cannot be read'])('wakes nobody when its file %s meanwhile', async (what) => {
    const { user, entry } = await installed(each);
    const waiting = runs(user, entry.command, LIMITED);
    await expect.poll(() => waiting.said.stdout, REPLIED).toContain('tried again');
    if (what === 'is deleted') rmSync(path.join(user.project, each.file));
    else writeFileSync(path.join(user.project, each.file), '{');
    expect(await waiting.end).toMatchObject({ code: 0, stderr: '' });
  });

  it('continues with the user, who sees what happened, when they write first', async () => {
    const { user, entry } = await installed(each);
    const waiting = runs(user, entry.command, LIMITED);
    await expect.poll(() => waiting.said.stdout, REPLIED).toContain('tried again');
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
    const { stdout } = await user.tireless(['hook', 'claude-code', '--dialect', each.name, '--reply', 'json'], {
      stdin: aStop(user.project, '', prompt),
      env: { CLAUDE_PROJECT_DIR: user.project },
    });
    expect(stdout).toContain('429 too many requests');
    expect(await waiting.end).toMatchObject({ code: 0, stderr: '' });
  });
});

it('a loop whose turn failed and that nobody tries again does not stand still in silence', async () => {
  const [each] = CASES;
  if (each === undefined) throw new Error('no case');
  const user = aUser({ [each.file]: each.text });
  const hook = async (event: Record<string, unknown>): Promise<string> =>
    (
      await user.tireless(['hook', 'claude-code', '--dialect', each.name, '--reply', 'json'], {
        stdin: aStop(user.project, '', event),
        env: { CLAUDE_PROJECT_DIR: user.project },
      })
    ).stdout;
  await hook(FAILED);
  expect((await user.tireless(['status'])).stdout).toContain('the last turn failed');
  const started = await hook({ hook_event_name: 'SessionStart', source: 'resume' });
  expect(started).toContain('529 overloaded');
  expect(await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'hello' })).toContain('529 overloaded');
  expect((await user.tireless(['status'])).stdout).not.toContain('the last turn failed');
});

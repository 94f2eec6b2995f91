/** The process that wakes the agent of Claude Code after an API error, as the host runs it: shell, guard, hook. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Timing } from '../../src/core/loop.ts';
import { WAKE_WORD } from '../../src/hosts/guard.ts';
import { anArmedSession, type ArmedSession } from '../support/an-armed-session.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { guardCall } from '../support/guard-call.ts';
import { commit } from '../support/drafts.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const SCRIPT = path.join(import.meta.dirname, '../../dist/hook.cjs');
const FAILED = { hook_event_name: 'StopFailure', error: 'server_error', stop_hook_active: undefined };

type Waker = {
  readonly end: Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Of the hook itself, below the shell. */
  readonly hook: () => number | undefined;
};

/** `client`: the process of the host, as its variable tells. */
function aWaker(armed: ArmedSession, client: number = process.pid): Waker {
  const { home } = armed;
  const line = guardCall(
    'claude-code',
    { wake: 'own-session', outlives: true, words: [WAKE_WORD] },
    { home, node: process.execPath, script: SCRIPT },
  );
  const env = { ...cleanEnvironment(home), CLAUDE_CODE_SESSION_ID: 'session-1', CLAUDE_PID: String(client) };
  const child = spawn('/bin/sh', ['-c', line], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin.end(armed.payload(FAILED));
  return {
    end: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))),
    hook: () => childrenOf(child.pid ?? 0).find((pid) => commandOf(pid).includes(SCRIPT)),
  };
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 1 && statOf(each).split(') ')[1]?.split(' ')[1] === String(pid));
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return ''; // It has just ended.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It has just ended.
  }
}

const SLOW = { backoffBaseMs: 60_000, backoffMaxMs: 60_000 };
const QUICK = { backoffBaseMs: 50, backoffMaxMs: 50 };

async function failed(armed: ArmedSession): Promise<void> {
  await expect.poll(() => armed.loaded().state.waitedOutInRow, WAIT).toBe(1);
}

function timed(waits: Partial<Timing>): ArmedSession {
  const { timing } = anArmedSession().loaded().spec;
  return anArmedSession({ timing: { ...timing, ...waits } });
}

describe('the process that wakes an agent', () => {
  it('exits with 2 and the prompt after the backoff', async () => {
    const armed = timed(QUICK);
    const { code, stderr } = await aWaker(armed).end;
    expect(code).toBe(2);
    expect(stderr).toContain('This iteration runs again');
    expect(armed.loaded().state).toMatchObject({ status: 'running', faults: 0, waitedOutInRow: 1 });
  });

  it('exits with 0 when the loop is cancelled meanwhile', async () => {
    const armed = timed(SLOW);
    const waker = aWaker(armed);
    await failed(armed);
    commit(armed.store, armed.loaded(), { kind: 'cancel-requested' });
    expect(await waker.end).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends when its client is gone', async () => {
    const client = spawn('sleep', ['60']);
    const armed = timed(SLOW);
    const waker = aWaker(armed, client.pid);
    await failed(armed);
    client.kill('SIGKILL');
    expect(await waker.end).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'does no harm when it is ended with %s: nothing is counted twice',
    async (signal) => {
      const armed = timed(SLOW);
      const waker = aWaker(armed);
      await failed(armed);
      await expect.poll(waker.hook, WAIT).toBeDefined();
      // It hears signals once it waits; before that it is started once more, as ever.
      await expect.poll(() => (statOf(waker.hook() ?? 0).includes(') S ') ? 'waits' : ''), WAIT).toBe('waits');
      process.kill(waker.hook() ?? 0, signal);
      expect((await waker.end).code).not.toBe(2);
      expect(armed.loaded().state).toMatchObject({ status: 'running', faults: 0, waitedOutInRow: 1 });
      expect(armed.stop({ last_assistant_message: 'back again' }).stdout).toContain('additionalContext');
    },
  );
});

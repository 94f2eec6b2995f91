import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCall, LoopView, Progress, RunLoopOptions } from '../../src/index.ts';
import { openFileStore, runLoop } from '../../src/index.ts';
import { aProject } from '../support/a-project.ts';

const NOTHING_TO_DO = { agent: () => 'I looked at it.' } as const;

function run(options: Partial<RunLoopOptions>): Promise<LoopView> {
  const folders = { cwd: aProject(), home: aProject() };
  return runLoop({
    goal: 'There is a file made.txt',
    checks: ['test -e made.txt'],
    ...NOTHING_TO_DO,
    ...folders,
    ...options,
  });
}

describe('runLoop', () => {
  it('calls a function as the agent until the check passes, and refuses its early claim', async () => {
    const calls: AgentCall[] = [];
    const { status, outcome, iteration, usage } = await run({
      agent: (call) => {
        calls.push(call);
        if (call.iteration === 2) writeFileSync(path.join(call.cwd, 'made.txt'), '');
        return { message: '<promise>DONE</promise>', usage: { costUsd: 0.5, tokens: 10 } };
      },
    });
    expect({ status, verified: outcome?.verified, iteration }).toEqual({
      status: 'completed',
      verified: true,
      iteration: 2,
    });
    expect(usage.costUsd).toBe(1);
    expect(calls.map((call) => call.prompt.includes('test -e made.txt'))).toEqual([true, true]);
  });

  it('starts a command as the agent, shows what happens, and keeps the loop where the command line finds it', async () => {
    const home = aProject();
    const seen: Progress['kind'][] = [];
    const onProgress = ({ kind }: Progress): void => void seen.push(kind);
    const { id, status, host } = await run({ agent: { command: 'cat >/dev/null; touch made.txt' }, home, onProgress });
    expect({ status, host }).toEqual({ status: 'completed', host: 'command' });
    expect(seen).toEqual(expect.arrayContaining(['iteration-began', 'check-ended', 'decided']));
    expect(openFileStore({ home }).load(id)?.state.status).toBe('completed');
  });

  it('pauses when its signal is aborted, and waits no longer for the agent', async () => {
    const stop = new AbortController();
    let isCut = false;
    const { status, pause } = await run({
      signal: stop.signal,
      agent: ({ signal }) => {
        signal.addEventListener('abort', () => (isCut = true));
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    expect({ status, cause: pause?.cause, isCut }).toEqual({ status: 'paused', cause: 'user', isCut: true });
  });

  it('starts nothing when its signal is aborted already', async () => {
    const home = aProject();
    await expect(run({ home, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(existsSync(path.join(home, 'loops'))).toBe(false);
  });

  it('returns the limit that halted it, and counts what the function throws as a failed turn', async () => {
    const idle = await run({ limits: { iterationsMax: 1 } });
    expect(idle).toMatchObject({ status: 'halted', outcome: { guard: 'iterations-max' } });
    const agent = (): never => {
      throw new Error('no network');
    };
    const failing = await run({ agent, limits: { faultsInRowMax: 1 } });
    expect(failing).toMatchObject({ status: 'halted', usage: { faults: 1 } });
    expect(failing.outcome?.reason).toContain('no network');
  });

  it.each<[string, Partial<RunLoopOptions>, string, string]>([
    ['no goal', { goal: ' ' }, 'USAGE', 'The goal is empty'],
    ['a limit of 0', { limits: { iterationsMax: 0 } }, 'USAGE', '"0" for limits.iterationsMax: it takes a whole'],
    ['a part of an iteration', { limits: { iterationsMax: 1.5 } }, 'USAGE', '"1.5" for limits.iterationsMax'],
    ['a cost of 0', { limits: { costMaxUsd: 0 } }, 'USAGE', 'for limits.costMaxUsd: it takes US dollars'],
    ['a time that is not a number', { idleTimeoutMs: Number.NaN }, 'USAGE', 'for idleTimeoutMs: it takes milliseconds'],
    ['an empty check', { checks: [' '] }, 'USAGE', 'checks: ["npm test"]'],
    ['checks without an array', { checks: 'npm test' as never }, 'USAGE', 'single value for checks'],
    [
      'arguments of the agent without an array',
      { agent: { name: 'codex', args: '--model x' as never } },
      'USAGE',
      'single value for agent.args',
    ],
    [
      'an argument of the agent that is not a text',
      { agent: { name: 'codex', args: [7 as never] } },
      'USAGE',
      'not a string in agent.args',
    ],
    ['a check that is not a text', { checks: [7 as never] }, 'USAGE', 'not a string in checks'],
    ['an empty claim', { claims: [''] }, 'USAGE', 'an empty string for claims'],
    ['two lines as a criterion', { criteria: ['a\nb'] }, 'USAGE', 'several lines for criteria'],
    ['an agent that does not exist', { agent: 'cloud-code' }, 'USAGE', 'for agent: no agent has that name'],
    [
      'arguments of an agent that takes none',
      { agent: { name: 'gemini', args: ['-y'] } },
      'USAGE',
      'agent: { command: "gemini',
    ],
    [
      'a cost that an agent does not report',
      { agent: 'codex', limits: { costMaxUsd: 5 } },
      'USAGE',
      'Use limits.tokensMax instead.',
    ],
    ['a program that is missing', { agent: { command: 'no-such-agent' } }, 'AGENT_NOT_FOUND', 'no-such-agent'],
    [
      'an option that does not exist',
      { check: 'npm test' } as object,
      'USAGE',
      'no option check. Did you mean checks?',
    ],
    [
      'a limit that does not exist',
      { limits: { maxIterations: 3 } as object },
      'USAGE',
      'no limit maxIterations. It has',
    ],
    ['a folder that is missing', { cwd: '/no/such/folder' }, 'PROJECT_MISSING', '/no/such/folder'],
    ['a check that cannot be run', { checks: ['no-such-check'] }, 'CHECK_NOT_RUNNABLE', 'no-such-check'],
  ])('refuses %s with a fault', async (_, options, code, word) => {
    await expect(run(options)).rejects.toMatchObject({ code, message: expect.stringContaining(word) as string });
  });
});

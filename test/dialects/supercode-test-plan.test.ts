/** The document's testing plan, written from its text alone: static mocks, one folder and one session for all of it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Message, RalphLoop, RalphLoopOptions, RalphLoopState } from '../../src/facades/supercode/index.ts';
import {
  clearState,
  createRalphCommands,
  createRalphLoopHook,
  detectCompletionPromise,
  incrementIteration,
  readState,
  writeState,
} from '../../src/facades/supercode/index.ts';

const sessionId = 'test-session';
const promised = async (): Promise<Message[]> => [{ role: 'assistant', content: '<promise>DONE</promise>' }];
const working = async (): Promise<Message[]> => [{ role: 'assistant', content: 'still working' }];
let workdir = '';

beforeAll(() => {
  workdir = mkdtempSync(path.join(tmpdir(), 'ralph-plan-'));
  vi.stubEnv('TIRELESS_HOME', path.join(workdir, 'home'));
});

afterEach(() => {
  clearState(workdir);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(workdir, { recursive: true, force: true });
});

function createHook(options: RalphLoopOptions = {}): RalphLoop {
  const { config, ...rest } = options;
  return createRalphLoopHook({ workdir, config: { continuationDelay: 20, ...config }, ...rest });
}

async function idle(hook: RalphLoop): Promise<void> {
  await hook.handler({ event: 'session.idle', sessionId });
}

describe('RalphLoopStorage', () => {
  const state: RalphLoopState = {
    active: true,
    iteration: 1,
    maxIterations: 10,
    completionPromise: 'DONE',
    startedAt: new Date().toISOString(),
    prompt: 'test',
    sessionId,
  };

  it('should write and read state', () => {
    expect(writeState(workdir, state)).toBe(true);
    expect(readState(workdir)).toEqual(state);
  });

  it('should increment iteration', () => {
    writeState(workdir, state);
    expect(incrementIteration(workdir)?.iteration).toBe(2);
    expect(readState(workdir)?.lastIterationAt).toBeDefined();
  });

  it('should clear state', () => {
    writeState(workdir, state);
    expect(clearState(workdir)).toBe(true);
    expect(readState(workdir)).toBeNull();
  });
});

describe('detectCompletionPromise', () => {
  it('should detect <promise>DONE</promise>', () => {
    expect(detectCompletionPromise('Finished. <promise>DONE</promise>', 'DONE')).toBe(true);
  });

  it('should handle whitespace variations', () => {
    expect(detectCompletionPromise('<promise>\n  DONE\n</promise>', 'DONE')).toBe(true);
  });

  it('should be case insensitive', () => {
    expect(detectCompletionPromise('<PROMISE>done</PROMISE>', 'DONE')).toBe(true);
  });

  it('should handle custom promises', () => {
    expect(detectCompletionPromise('<promise>ALL_FIXED</promise>', 'ALL_FIXED')).toBe(true);
    expect(detectCompletionPromise('<promise>DONE</promise>', 'ALL_FIXED')).toBe(false);
  });
});

describe('RalphLoopHook', () => {
  it('should start loop and save state', () => {
    const hook = createHook();
    expect(hook.startLoop(sessionId, 'Refactor the database layer')).toBe(true);
    expect(readState(workdir)).toMatchObject({ active: true, iteration: 1, maxIterations: 100, sessionId });
    expect(hook.isLoopActive(sessionId)).toBe(true);
  });

  it('should detect completion and clear state', async () => {
    const titles: string[] = [];
    const hook = createHook({ getMessages: promised, showToast: ({ title }) => titles.push(title) });
    hook.startLoop(sessionId, 'test');
    await idle(hook);
    expect(readState(workdir)).toBeNull();
    expect(titles).toEqual(['Ralph Loop Started', 'Ralph Loop Complete!']);
  });

  it('should increment on session.idle without completion', async () => {
    const hook = createHook({ getMessages: working });
    hook.startLoop(sessionId, 'test');
    await idle(hook);
    expect(hook.getState(sessionId)?.iteration).toBe(2);
  });

  it('should stop at max iterations', async () => {
    const hook = createHook({ getMessages: working });
    hook.startLoop(sessionId, 'test', { maxIterations: 3 });
    await idle(hook);
    await idle(hook);
    expect(hook.getState()?.iteration).toBe(3);
    await idle(hook);
    expect(hook.getState()).toBeNull();
  });

  it('should cancel on user abort', async () => {
    const hook = createHook({ getMessages: working });
    hook.startLoop(sessionId, 'test');
    await hook.handler({ event: 'session.error', sessionId, data: { error: { name: 'MessageAbortedError' } } });
    expect(hook.isLoopActive(sessionId)).toBe(false);
    expect(existsSync(path.join(workdir, '.supercoin', 'ralph-loop-state.json'))).toBe(false);
  });

  it('should skip during recovery', async () => {
    const hook = createHook({ getMessages: promised });
    hook.startLoop(sessionId, 'test');
    await hook.handler({ event: 'session.error', sessionId, data: { error: { name: 'ApiError' } } });
    await idle(hook);
    expect(hook.getState(sessionId)?.iteration).toBe(1);
  });
});

describe('Ralph Loop Integration', () => {
  it('should complete after agent outputs promise', async () => {
    const messages: Message[] = [];
    const hook = createHook({ getMessages: async () => messages });
    hook.startLoop(sessionId, 'test');
    messages.push({ role: 'assistant', content: 'All done! <promise>DONE</promise>' });
    await idle(hook);
    expect(hook.isLoopActive(sessionId)).toBe(false);
  });

  it('should continue for multiple iterations', async () => {
    const prompts: string[] = [];
    const hook = createHook({ getMessages: working, injectPrompt: async (_, prompt) => void prompts.push(prompt) });
    hook.startLoop(sessionId, 'test', { maxIterations: 10 });
    for (let turn = 1; turn <= 5; turn++) await idle(hook);
    await vi.waitFor(() => expect(prompts).toHaveLength(5));
    expect(prompts[4]).toContain('[RALPH LOOP - ITERATION 6/10]');
  });

  it('should persist state across restarts', async () => {
    const before = createHook({ getMessages: working });
    before.startLoop(sessionId, 'test');
    await idle(before);
    const after = createHook({ getMessages: promised });
    expect(after.getState(sessionId)?.iteration).toBe(2);
    await idle(after);
    expect(after.isLoopActive(sessionId)).toBe(false);
  });

  it('should run the /ralph and /cancel-ralph commands', async () => {
    const prompts: string[] = [];
    const hook = createHook({ getMessages: working, injectPrompt: async (_, prompt) => void prompts.push(prompt) });
    const { handleRalphCommand, handleCancelRalphCommand } = createRalphCommands({
      hook,
      currentSessionId: () => sessionId,
    });
    await handleRalphCommand('"Fix all TypeScript errors in src/" --max-iterations=25 --completion-promise=ALL_FIXED');
    expect(hook.getState(sessionId)).toMatchObject({ maxIterations: 25, completionPromise: 'ALL_FIXED' });
    expect(prompts).toEqual(['Fix all TypeScript errors in src/']);
    await handleCancelRalphCommand();
    expect(hook.getState(sessionId)).toBeNull();
  });
});

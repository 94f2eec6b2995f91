import { describe, expect, it, vi } from 'vitest';
import type { Hook, RalphCommands, RalphLoopOptions, SessionState } from '../../src/facades/supercode/index.ts';
import {
  createHookRegistry,
  createRalphCommands,
  getHookRegistry,
  parseRalphArgs,
  sessionLoopOf,
  withSessionLoop,
} from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();

function commands(options?: RalphLoopOptions): RalphCommands & { readonly hook: ReturnType<typeof hookOf> } {
  const hook = hookOf(options);
  return {
    hook,
    ...createRalphCommands({
      hook,
      currentSessionId: () => SESSION,
      showToast: (toast) => project().toasts.push(toast),
    }),
  };
}

const hookOf = (options?: RalphLoopOptions) => project().hook(options);

describe('parseRalphArgs', () => {
  it('reads the task and the two options, in the spellings of the document', () => {
    expect(parseRalphArgs('"Implement login."')).toEqual({
      prompt: 'Implement login.',
      maxIterations: 100,
      completionPromise: 'DONE',
    });
    expect(
      parseRalphArgs('"Fix all TypeScript errors in src/" --max-iterations=25 --completion-promise=ALL_FIXED'),
    ).toEqual({
      prompt: 'Fix all TypeScript errors in src/',
      maxIterations: 25,
      completionPromise: 'ALL_FIXED',
    });
  });

  it('takes values after a space or in quotes, options before the task, and a task without quotes', () => {
    expect(parseRalphArgs(`--max-iterations 5 Fix it, don't ask --completion-promise "ALL DONE"`)).toEqual({
      prompt: "Fix it, don't ask",
      maxIterations: 5,
      completionPromise: 'ALL DONE',
    });
    expect(parseRalphArgs(`x --completion-promise='a "b"'`).completionPromise).toBe('a "b"');
    expect(parseRalphArgs('a --max-iterations=2 b').prompt).toBe('a b');
    expect(parseRalphArgs('"say \\"hi\\" in C:\\\\tmp"').prompt).toBe('say "hi" in C:\\tmp');
    expect(parseRalphArgs('fix "the a" and\n\n  "the b"').prompt).toBe('fix "the a" and\n\n  "the b"');
    expect(parseRalphArgs('"an open quote').prompt).toBe('"an open quote');
    expect(parseRalphArgs('').prompt).toBe('');
  });

  it('leaves what looks like an option alone inside quotes and after two dashes', () => {
    expect(parseRalphArgs('"add --verbose and --max-iterations=3"')).toMatchObject({
      prompt: 'add --verbose and --max-iterations=3',
      maxIterations: 100,
    });
    expect(parseRalphArgs('--max-iterations=3 -- add --verbose')).toMatchObject({
      prompt: 'add --verbose',
      maxIterations: 3,
    });
  });

  it('refuses an unknown option and an invalid value, instead of adding it to the task', () => {
    for (const wrong of ['x --max-iteration=5', 'x --verbose', 'x --max-iterations', 'x --completion-promise='])
      expect(() => parseRalphArgs(wrong)).toThrow(/is not an option|needs a value/u);
    for (const number of ['0', '-1', 'ten', '1.5', '1e3', '10001', 'Infinity'])
      expect(() => parseRalphArgs(`x --max-iterations=${number}`)).toThrow(/whole number from 1 to 10000/u);
  });
});

describe('/ralph', () => {
  it('starts the loop with the options and injects the first prompt', async () => {
    const { hook, handleRalphCommand } = commands();
    await handleRalphCommand('"Fix all" --max-iterations=25 --completion-promise=ALL_FIXED');
    expect(hook.getState(SESSION)).toMatchObject({ iteration: 1, maxIterations: 25, completionPromise: 'ALL_FIXED' });
    expect(project().injected).toEqual([{ sessionId: SESSION, prompt: 'Fix all' }]);
    await project().turn(hook, '<promise>all_fixed</promise>');
    expect(hook.getState()).toBeNull();
  });

  it('leaves what was not typed to the configuration', async () => {
    const { hook, handleRalphCommand } = commands({ config: { defaultMaxIterations: 4 } });
    await handleRalphCommand('Fix all');
    expect(hook.getState()?.maxIterations).toBe(4);
  });

  it('shows what was typed wrong, and starts nothing', async () => {
    const { hook, handleRalphCommand } = commands();
    for (const wrong of ['', '--max-iterations=5', 'x --verbose']) await handleRalphCommand(wrong);
    expect(project().toasts.map(({ title, variant }) => `${title} ${variant}`)).toEqual(
      Array<string>(3).fill('Ralph Loop Not Started error'),
    );
    expect([hook.getState(), project().injected]).toEqual([null, []]);
  });

  it('rejects and reports a first prompt that could not be injected, and continues at the next idle', async () => {
    let isDown = true;
    const sent: string[] = [];
    const { hook, handleRalphCommand } = commands({
      injectPrompt: async (_, prompt) => {
        if (isDown) throw new Error('no connection');
        sent.push(prompt);
      },
    });
    await expect(handleRalphCommand('Fix all')).rejects.toThrow('no connection');
    expect(project().toasts.at(-1)).toEqual({
      title: 'Ralph Loop',
      message: 'Failed to inject the first prompt: no connection. The loop continues at the next stop of the session.',
      variant: 'error',
      duration: 5000,
    });
    expect(project().logged).toContain('[ralph-loop] Failed to inject the first prompt');
    isDown = false;
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect(sent[0]).toMatch(/^\[RALPH LOOP - ITERATION 2\/100\][\s\S]*Original task:\nFix all$/u);
  });

  it('takes the session as a value or as a function', async () => {
    const hook = hookOf();
    for (const currentSessionId of [SESSION, () => SESSION]) {
      const { handleRalphCommand, handleCancelRalphCommand } = createRalphCommands({ hook, currentSessionId });
      await handleRalphCommand('Fix all');
      expect(hook.isLoopActive(SESSION)).toBe(true);
      await handleCancelRalphCommand();
      expect(hook.getState()).toBeNull();
    }
  });
});

describe('/cancel-ralph', () => {
  it('cancels the loop of the session', async () => {
    const { hook, handleRalphCommand, handleCancelRalphCommand } = commands();
    await handleRalphCommand('Fix all');
    await handleCancelRalphCommand();
    expect(hook.getState()).toBeNull();
    expect(project().toasts.at(-1)?.title).toBe('Ralph Loop Cancelled');
  });

  it('says when there is no loop to cancel', async () => {
    const { hook, handleCancelRalphCommand } = commands();
    hook.startLoop('another', 'x');
    await handleCancelRalphCommand();
    expect(project().toasts.at(-1)).toEqual({
      title: 'No Active Loop',
      message: 'No Ralph Loop is currently running',
      variant: 'info',
    });
    expect(hook.isLoopActive('another')).toBe(true);
  });
});

describe('the hook registry', () => {
  const aHook = (name: string, priority: number, events: string[], heard: string[]): Hook => ({
    name,
    description: '',
    priority,
    events,
    handler: async ({ event }) => {
      heard.push(`${name} ${event}`);
      if (name === 'broken') throw new Error('no');
      return name === 'silent' ? undefined : { name };
    },
  });

  it('dispatches an event to the hooks that asked for it, the highest priority first, and a broken one stops no other', async () => {
    const registry = createHookRegistry();
    const heard: string[] = [];
    registry.register(aHook('silent', 10, ['session.idle'], heard));
    registry.register(aHook('ralph', 50, ['session.idle', 'session.error'], heard));
    registry.register(aHook('broken', 100, ['session.idle'], heard));
    expect(await registry.dispatch({ event: 'session.idle', sessionId: SESSION })).toEqual([{ name: 'ralph' }]);
    expect(heard).toEqual(['broken session.idle', 'ralph session.idle', 'silent session.idle']);
    expect(registry.unregister('broken')).toBe(true);
    expect(registry.getHooks('session.error').map(({ name }) => name)).toEqual(['ralph']);
  });

  it('holds one hook per name, for the whole process', () => {
    const first = aHook('same', 1, ['a'], []);
    const second = aHook('same', 2, ['b'], []);
    getHookRegistry().register(first);
    getHookRegistry().register(second);
    expect(getHookRegistry().getHooks()).toEqual([second]);
    expect(getHookRegistry().unregister('same')).toBe(true);
  });

  it('drives a loop beside a recovery hook', async () => {
    const registry = createHookRegistry();
    const hook = project().hook();
    const heard: string[] = [];
    registry.register(hook);
    registry.register(aHook('recovery', 100, ['session.error'], heard));
    await hook.startWithPrompt(SESSION, 'task');
    await registry.dispatch({ event: 'session.error', sessionId: SESSION, data: { error: { name: 'ApiError' } } });
    await registry.dispatch({ event: 'session.idle', sessionId: SESSION });
    expect([heard, hook.getState()?.iteration]).toEqual([['recovery session.error'], 1]);
    await vi.advanceTimersByTimeAsync(5000);
    await registry.dispatch({ event: 'session.idle', sessionId: SESSION });
    expect(hook.getState()?.iteration).toBe(2);
  });
});

describe('the session state', () => {
  it('has a loop field with iterations and maxIterations while a loop runs', async () => {
    const hook = project().hook();
    expect(sessionLoopOf(hook.getState(SESSION))).toBeUndefined();
    hook.startLoop(SESSION, 'task', { maxIterations: 9 });
    await project().turn(hook, 'Turn 1.');
    const before: { id: string } & SessionState = { id: SESSION };
    const session = withSessionLoop(before, hook.getState(SESSION));
    expect(session).toEqual({ id: SESSION, loop: { iterations: 2, maxIterations: 9 } });
    const state = hook.getState(SESSION);
    expect(sessionLoopOf(state === null ? null : { ...state, active: false })).toBeUndefined();
    hook.cancelLoop(SESSION);
    expect(withSessionLoop(session, hook.getState(SESSION))).toEqual({ id: SESSION });
  });
});

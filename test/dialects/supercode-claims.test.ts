/** A claim made after `startLoop` counts, whenever `getMessages` answers; one of an earlier loop does not. */
import { describe, expect, it, vi } from 'vitest';
import type { Message, RalphLoop } from '../../src/facades/supercode/index.ts';
import { parseRalphArgs, readState, writeState } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const CLAIM = '<promise>DONE</promise>';
const says = (content: string): Message => ({ role: 'assistant', content });
const asks = (content: string): Message => ({ role: 'user', content });
const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

describe('a claim made after startLoop', () => {
  it('counts when it is pushed to a live array', async () => {
    const { messages } = project();
    const hook = project().hook({ getMessages: async () => messages });
    hook.startLoop(SESSION, 'task');
    messages.push(says(CLAIM));
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
  });

  it('counts in the /ralph handler of the document, with an agent that answers at once', async () => {
    const messages: Message[] = [];
    const injectPrompt = async (sessionId: string, prompt: string): Promise<void> => {
      messages.push(asks(prompt), says(CLAIM));
      await hook.handler({ event: 'session.idle', sessionId });
    };
    const hook: RalphLoop = project().hook({ getMessages: async () => messages, injectPrompt });
    const { prompt, ...options } = parseRalphArgs('"Fix all" --max-iterations=25');
    if (hook.startLoop(SESSION, prompt, options)) await injectPrompt(SESSION, prompt);
    expect(hook.getState()).toBeNull();
    expect(project().toasts.at(-1)?.message).toBe('Task completed after 1 iteration(s)');
  });

  it('counts when getMessages is slow, at the start and at the stop', async () => {
    const { messages } = project();
    const hook = project().hook({
      getMessages: async () => {
        await wait(3000);
        return messages;
      },
    });
    hook.startLoop(SESSION, 'task');
    messages.push(says(CLAIM));
    const stop = project().idle(hook);
    await vi.advanceTimersByTimeAsync(3000);
    await stop;
    expect(hook.getState()).toBeNull();
  });

  it('counts when the host shows it only after the next prompt', async () => {
    const { messages } = project();
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'task');
    await project().idle(hook);
    messages.push(says(CLAIM));
    await vi.advanceTimersByTimeAsync(500);
    await project().turn(hook, 'I have said it already.');
    expect(hook.getState()).toBeNull();
  });

  it('counts after a restart, with a tool result after it', async () => {
    const { messages } = project();
    await project().hook().startWithPrompt(SESSION, 'task');
    messages.push(says(`All green. ${CLAIM}`), asks('tool result: ok'));
    const hook = project().hook();
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
  });

  it('counts in a host that shows the same message at every call', async () => {
    const hook = project().hook({ getMessages: async () => [says(CLAIM)] });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
  });

  it('counts in the settle window, and nothing is injected any more', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    project().messages.push(says('Working.'));
    await project().idle(hook);
    project().messages.push(asks('and the tests?'), says(CLAIM));
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect([hook.getState(), project().injected]).toEqual([null, []]);
  });

  it('counts after a failed injection', async () => {
    const hook = project().hook({ injectPrompt: () => Promise.reject(new Error('the stream was closed')) });
    hook.startLoop(SESSION, 'task');
    await project().turn(hook, 'Working.');
    expect(project().logged).toContain('[ralph-loop] Failed to inject continuation');
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
    expect(project().toasts.at(-1)?.title).toBe('Ralph Loop Complete!');
  });

  it('counts after a first prompt that could not be injected', async () => {
    const hook = project().hook({ injectPrompt: () => Promise.reject(new Error('the stream was closed')) });
    await expect(hook.startWithPrompt(SESSION, 'task')).rejects.toThrow('the stream was closed');
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
  });

  it('counts when the file gets the promise that the agent has made already', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    await project().turn(hook, '<promise>YES</promise>');
    const state = readState(project().dir);
    if (state !== null) writeState(project().dir, { ...state, completionPromise: 'YES' });
    await project().turn(hook, 'Done, as I said.');
    expect(hook.getState()).toBeNull();
  });

  it('counts in messages that hold their text in parts', async () => {
    const parts: object = { info: { role: 'assistant' }, parts: [{ type: 'text', text: CLAIM }] };
    const hook = project().hook({ getMessages: async () => [parts] });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
  });
});

describe('a claim of an earlier loop', () => {
  async function completeFirst(hook: RalphLoop): Promise<void> {
    hook.startLoop(SESSION, 'first task');
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
  }

  it('completes nothing by an idle that comes before the agent has answered', async () => {
    const hook = project().hook();
    await completeFirst(hook);
    hook.startLoop(SESSION, 'second task');
    await project().idle(hook);
    expect(hook.isLoopActive(SESSION)).toBe(true);
  });

  it('completes nothing after a restart', async () => {
    await completeFirst(project().hook());
    project().hook().startLoop(SESSION, 'second task');
    await project().turn(project().hook(), 'Working.');
    expect(project().hook().getState()?.iteration).toBe(2);
    await project().turn(project().hook(), CLAIM);
    expect(project().hook().getState()).toBeNull();
  });

  it('completes nothing when its stop arrives after the next loop began', async () => {
    const { messages } = project();
    const hook = project().hook({
      getMessages: async () => {
        const shown = [...messages];
        await wait(1000);
        return shown;
      },
    });
    hook.startLoop(SESSION, 'first task');
    messages.push(says(CLAIM));
    const stop = project().idle(hook);
    hook.startLoop(SESSION, 'second task');
    await vi.advanceTimersByTimeAsync(1000);
    await stop;
    expect(hook.getState()).toMatchObject({ prompt: 'second task', iteration: 1 });
  });

  it('completes nothing when the earlier loop was cancelled or aborted before it received the claim', async () => {
    const hook = project().hook();
    const abort = { event: 'session.error', sessionId: SESSION, data: { error: { name: 'AbortError' } } };
    for (const end of [() => hook.cancelLoop(SESSION), () => hook.handler(abort)]) {
      hook.startLoop(SESSION, 'first task');
      project().messages.push(says(CLAIM));
      await end();
      await vi.advanceTimersByTimeAsync(100);
      hook.startLoop(SESSION, 'second task');
      await project().turn(hook, 'Working.');
      expect(hook.getState()?.iteration).toBe(2);
    }
  });

  it('completes nothing when the file gets the promise of that loop', async () => {
    const { dir } = project();
    await completeFirst(project().hook());
    project().hook().startLoop(SESSION, 'second task', { completionPromise: 'YES' });
    await project().turn(project().hook(), 'Working.');
    const state = readState(dir);
    if (state !== null) writeState(dir, { ...state, completionPromise: 'DONE' });
    const hook = project().hook();
    await project().turn(hook, 'Working.');
    await vi.advanceTimersByTimeAsync(500);
    expect(hook.isLoopActive(SESSION)).toBe(true);
  });
});

describe('a stop', () => {
  it('counts once when two of its idle events arrive late, one after the other', async () => {
    const delays = [1000, 4000];
    const { messages } = project();
    const hook = project().hook({
      getMessages: async () => {
        const shown = [...messages];
        await wait(delays.shift() ?? 0);
        return shown;
      },
    });
    hook.startLoop(SESSION, 'task');
    messages.push(says('Working.'));
    const stops = [project().idle(hook), project().idle(hook)];
    await vi.advanceTimersByTimeAsync(4000);
    await Promise.all(stops);
    expect(hook.getState()?.iteration).toBe(2);
    expect(project().injected).toHaveLength(1);
  });

  it('counts in the settle window too where the host shows no prompts, so that nothing tells two stops from one', async () => {
    const hook = project().hook({ getMessages: async () => [says('Working.')] });
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    await project().idle(hook);
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(3);
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
    await vi.advanceTimersByTimeAsync(500);
    expect(project().injected.map(({ prompt }) => prompt.split('\n')[0])).toEqual([
      '[RALPH LOOP - ITERATION 2/3]',
      '[RALPH LOOP - ITERATION 3/3]',
    ]);
  });

  it('follows at once where there is no settle window', async () => {
    const hook = project().hook({ config: { continuationDelay: 0 } });
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    for (let turn = 1; turn <= 3; turn++) await project().idle(hook);
    expect(hook.getState()).toBeNull();
    expect(project().injected).toHaveLength(2);
  });
});

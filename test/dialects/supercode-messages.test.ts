/** Whose words count for the loop, and which of them. */
import { describe, expect, it, vi } from 'vitest';
import { readState, writeState } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const CLAIM = '<promise>DONE</promise>';

describe('what the agent said', () => {
  it('counts only messages of this loop: an old claim completes nothing', async () => {
    project().messages.push({ role: 'user', content: 'first task' }, { role: 'assistant', content: CLAIM });
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'second task');
    await project().turn(hook, 'Working.');
    expect(hook.getState()?.iteration).toBe(2);
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
  });

  it.each([
    [0, 0],
    [5.5, 6],
    [7, 7],
  ])('begins with the maximum that counts: %d is %d', (maxIterations, counted) => {
    project().hook().startLoop(SESSION, 'task', { maxIterations });
    expect(project().toasts.at(-1)?.message).toContain(`Max ${counted} iterations.`);
  });

  it.each([null, undefined, 'words', { messages: [] }])('reports a getMessages that returns %j', async (wrong) => {
    const { toasts } = project();
    const hook = project().hook({ getMessages: async () => wrong as unknown as [] });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    expect(toasts.at(-1)?.message).toMatch(
      /getMessages returned (?:null|undefined|string|object), but must return a list/u,
    );
  });

  it('hears what came after the last prompt when another process began the iteration', async () => {
    const { messages } = project();
    messages.push({ role: 'assistant', content: CLAIM });
    await project().hook().startWithPrompt(SESSION, 'task');
    messages.push({ role: 'assistant', content: 'Working.' });
    await project().idle(project().hook());
    expect(readState(project().dir)?.iteration).toBe(2);
    messages.push({ role: 'user', content: 'go on' }, { role: 'assistant', content: CLAIM });
    const hook = project().hook();
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    messages.push({ role: 'assistant', content: CLAIM });
    await project().idle(hook);
    expect(hook.getState()).toBeNull();
  });

  it('does not accept the claim of the last loop for a loop that another program wrote', async () => {
    const { dir, messages } = project();
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'first task');
    const first = hook.getState();
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
    if (first !== null) writeState(dir, { ...first, startedAt: '2026-01-12T10:00:00.000Z', prompt: 'second task' });
    messages.push({ role: 'user', content: 'second task' });
    await project().turn(hook, 'Working.');
    expect(hook.getState()?.iteration).toBe(2);
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
  });

  it('finds a claim that is repeated when the host keeps only the last messages', async () => {
    const { messages } = project();
    for (let nth = 1; nth <= 4; nth++) messages.push({ role: 'assistant', content: CLAIM });
    const hook = project().hook({ getMessages: async () => messages.slice(-4) });
    await hook.startWithPrompt(SESSION, 'task');
    for (let turn = 1; turn <= 4; turn++) {
      await project().turn(hook, 'Working.');
      expect(hook.getState()?.iteration).toBe(turn + 1);
    }
    await project().turn(hook, CLAIM);
    expect(hook.getState()).toBeNull();
  });

  it('does not accept an echo of the prompt as the claim', async () => {
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'Say <promise>DONE</promise> at the end.');
    await project().turn(hook, 'You said: Say <promise>DONE</promise> at the end.');
    await project().turn(hook, `> ${project().injected.at(-1)?.prompt}`);
    expect(hook.getState()?.iteration).toBe(3);
  });

  it('completes on the last allowed iteration', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 1 });
    await project().turn(hook, CLAIM);
    expect(project().toasts.at(-1)?.title).toBe('Ralph Loop Complete!');
  });

  it('lets the agent stop when the messages cannot be read, and reports it', async () => {
    const hook = project().hook({ getMessages: () => Promise.reject(new Error('offline')) });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    expect(project().toasts.at(-1)).toMatchObject({ variant: 'error', message: 'Failed on session.idle: offline' });
    expect(hook.getState()?.iteration).toBe(1);
    expect(project().injected).toEqual([]);
  });
});

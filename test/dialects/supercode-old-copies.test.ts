/** What an agent writes into its own state file, and what a host with one message shows. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();

describe('an agent that sets the counter of its file back', () => {
  it('after each prompt reaches its maximum all the same', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    const first = project().text();
    for (let turn = 0; turn < 8; turn++) {
      await project().turn(hook, `work ${turn}`);
      if (hook.getState() !== null) writeFileSync(project().file, first);
    }
    expect(project().injected).toHaveLength(2);
    expect(project().loops()).toEqual({ task: 'halted' });
    expect(project().toasts.filter(({ message }) => message.includes('was lowered'))).not.toEqual([]);
  });

  it('in the settle window too', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    const first = project().text();
    for (let turn = 0; turn < 8; turn++) {
      project().messages.push({ role: 'assistant', content: `work ${turn}` });
      await project().idle(hook);
      if (hook.getState() !== null) writeFileSync(project().file, first);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(project().injected).toHaveLength(2);
    expect(project().loops()).toEqual({ task: 'halted' });
  });
});

describe('a host whose getMessages returns only the newest message', () => {
  const CLAIM = 'All done. <promise>DONE</promise>';

  it('completes a second loop by the same words, from its second stop on', async () => {
    let newest = 'hm';
    const hook = project().hook({ getMessages: async () => [{ role: 'assistant', content: newest }] });
    const turn = async (says: string): Promise<void> => {
      newest = says;
      await project().idle(hook);
      await vi.advanceTimersByTimeAsync(500);
    };
    hook.startLoop(SESSION, 'first');
    await turn(CLAIM);
    hook.startLoop(SESSION, 'second');
    await turn(CLAIM);
    expect(project().loops()).toMatchObject({ first: 'completed', second: 'running' });
    await turn(CLAIM);
    expect(project().loops()).toMatchObject({ second: 'completed' });
  });

  it('counts every stop of an agent that always says the same', async () => {
    const hook = project().hook({ getMessages: async () => [{ role: 'assistant', content: 'hm' }] });
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    for (let turn = 0; turn < 5; turn++) {
      await project().idle(hook);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(project().injected).toHaveLength(2);
    expect(project().loops()).toEqual({ task: 'halted' });
  });
});

describe('a loop that was resumed past its maximum', () => {
  it('has its file again, and is cancelled with its own toast', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 2 });
    await project().turn(hook, 'one');
    await project().turn(hook, 'two');
    expect(hook.getState()).toBeNull();
    project().resume(4);
    expect(hook.getState(SESSION)).toMatchObject({ active: true, iteration: 3, maxIterations: 4 });
    await project().turn(hook, 'three');
    expect([hook.isLoopActive(SESSION), hook.cancelLoop(SESSION)]).toEqual([true, true]);
    expect(project().toasts.at(-1)).toMatchObject({ title: 'Ralph Loop Cancelled' });
    await project().turn(hook, 'four');
    expect(project().injected).toHaveLength(2);
  });
});

/** What the document leaves to chance: races of idle events, hand edits, failed injections, faults. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';

import { clearState } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const CLAIM = '<promise>DONE</promise>';
const iterationsInjected = (): string[] =>
  project().injected.map(({ prompt }) => /ITERATION (\d+)/u.exec(prompt)?.[1] ?? prompt);

describe('the settle window', () => {
  it('waits continuationDelay before it injects', async () => {
    const hook = project().hook({ config: { continuationDelay: 2000 } });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(1999);
    expect(project().injected).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(iterationsInjected()).toEqual(['2']);
  });

  it('does not inject into a session that recovers from an error, and injects when that is over', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    await hook.handler({ event: 'session.error', sessionId: SESSION, data: { error: { name: 'ApiError' } } });
    await vi.advanceTimersByTimeAsync(4999);
    expect(project().injected).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(iterationsInjected()).toEqual(['2']);
  });

  it('counts two idle events of one stop once', async () => {
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'task');
    await Promise.all([project().idle(hook), project().idle(hook)]);
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect(hook.getState()?.iteration).toBe(2);
    expect(iterationsInjected()).toEqual(['task', '2']);
  });

  it('injects once when two processes of the host receive the same idle event', async () => {
    const hooks = [project().hook(), project().hook()];
    hooks[0]?.startLoop(SESSION, 'task');
    project().messages.push({ role: 'assistant', content: 'Working.' });
    await Promise.all(hooks.map((hook) => project().idle(hook)));
    await vi.advanceTimersByTimeAsync(500);
    expect(hooks[1]?.getState()?.iteration).toBe(2);
    expect(iterationsInjected()).toEqual(['2']);
    await Promise.all(hooks.map((hook) => project().idle(hook)));
    await vi.advanceTimersByTimeAsync(500);
    expect(iterationsInjected()).toEqual(['2', '3']);
  });

  it('injects nothing when the loop was cancelled, cleared, switched off or broken meanwhile', async () => {
    const { dir, file } = project();
    const hook = project().hook();
    const ends = [
      () => hook.cancelLoop(SESSION),
      () => clearState(dir),
      () => writeFileSync(file, project().text().replace('true', 'false')),
      () => writeFileSync(file, 'my notes'),
    ];
    for (const end of ends) {
      rmSync(file, { force: true });
      hook.startLoop(SESSION, 'task');
      await project().idle(hook);
      end();
      await vi.advanceTimersByTimeAsync(500);
      expect(project().injected).toEqual([]);
    }
    expect(readFileSync(file, 'utf8')).toBe('my notes');
  });

  it('logs and shows an injection that failed, and counts its iteration, as the document does', async () => {
    let isDown = true;
    const sent: string[] = [];
    const hook = project().hook({
      injectPrompt: async (_, prompt) => {
        if (isDown) throw new Error('no connection');
        sent.push(prompt);
      },
    });
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    await project().turn(hook, 'Turn 1.');
    expect(project().logged).toContain('[ralph-loop] Failed to inject continuation');
    expect(project().toasts.at(-1)).toMatchObject({
      variant: 'error',
      message: expect.stringContaining('Failed to inject continuation: no connection'),
    });
    isDown = false;
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect(hook.getState()?.iteration).toBe(3);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('[RALPH LOOP - ITERATION 3/3]');
  });

  it('delivers a prompt that the host did not live to inject', async () => {
    const before = project().hook();
    before.startLoop(SESSION, 'task');
    await project().idle(before);
    vi.clearAllTimers();
    const hook = project().hook();
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect(hook.getState()?.iteration).toBe(2);
    expect(iterationsInjected()).toEqual(['2']);
  });

  it('hears the idle of a turn that ends before its injection returns', async () => {
    const hook = project().hook({
      injectPrompt: async (sessionId, prompt) => {
        project().injected.push({ sessionId, prompt });
        project().messages.push({ role: 'user', content: prompt }, { role: 'assistant', content: CLAIM });
        await hook.handler({ event: 'session.idle', sessionId });
        throw new Error('the stream was closed');
      },
    });
    hook.startLoop(SESSION, 'task');
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(500);
    expect(hook.getState()).toBeNull();
    expect(project().entries().at(-1)?.decision.kind).toBe('complete');
  });
});

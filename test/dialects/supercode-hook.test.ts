/** What the document leaves to chance: races of idle events, hand edits, failed injections, faults. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { clearState, readState, setLog, writeState } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const CLAIM = '<promise>DONE</promise>';
const iterationsInjected = (): string[] =>
  project().injected.map(({ prompt }) => /ITERATION (\d+)/u.exec(prompt)?.[1] ?? prompt);

describe('the hook', () => {
  it('has the name, description, priority and events of the document', () => {
    expect(project().hook()).toMatchObject({
      name: 'ralph-loop',
      description: 'Agentic iteration loop for autonomous task completion',
      priority: 50,
      events: ['session.idle', 'session.error', 'session.deleted'],
    });
  });

  it('takes its defaults from the configuration, and the stateDir', () => {
    const stateDir = path.join(project().dir, 'states');
    const hook = project().hook({
      config: { defaultMaxIterations: 7, defaultCompletionPromise: 'FERTIG', stateDir },
    });
    hook.startLoop(SESSION, 'x');
    expect(readState(project().dir, stateDir)).toMatchObject({ maxIterations: 7, completionPromise: 'FERTIG' });
    expect(existsSync(project().file)).toBe(false);
  });

  it('does nothing but report why when it is not enabled', async () => {
    project().hook().startLoop(SESSION, 'x');
    const before = project().text();
    project().toasts.length = 0;
    const hook = project().hook({ config: { enabled: false } });
    expect(hook.startLoop(SESSION, 'y')).toBe(false);
    expect(await hook.startWithPrompt(SESSION, 'y')).toBe(false);
    expect(hook.cancelLoop(SESSION)).toBe(false);
    for (const event of hook.events) await hook.handler({ event, sessionId: SESSION });
    expect([project().text(), project().injected]).toEqual([before, []]);
    expect(project().toasts.map(({ title }) => title)).toEqual([
      'Ralph Loop Not Started',
      'Ralph Loop Not Started',
      'Ralph Loop Not Cancelled',
    ]);
  });

  it('cancels with a toast, once, and only for the session that owns the loop', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'x');
    await project().turn(hook, 'Turn 1.');
    expect(hook.cancelLoop('another')).toBe(false);
    expect(hook.cancelLoop(SESSION)).toBe(true);
    expect(project().toasts.at(-1)).toEqual({
      title: 'Ralph Loop Cancelled',
      message: 'Stopped at iteration 2',
      variant: 'info',
      duration: 2000,
    });
    expect(existsSync(project().file)).toBe(false);
    expect(hook.cancelLoop(SESSION)).toBe(false);
    expect(project().entries().at(-1)?.decision).toEqual({ kind: 'cancel' });
  });

  it('clears the loop of a deleted session, and of no other', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'x');
    await hook.handler({ event: 'session.deleted', sessionId: 'another' });
    await hook.handler({ event: 'session.deleted', sessionId: SESSION, data: { sessionId: 'another' } });
    expect(hook.isLoopActive(SESSION)).toBe(true);
    await hook.handler({ event: 'session.deleted', sessionId: 'another', data: { sessionId: SESSION } });
    expect(existsSync(project().file)).toBe(false);
  });

  it('restarts the recovery window with every error, and drops it with the session', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'x');
    const fail = (): Promise<unknown> =>
      hook.handler({ event: 'session.error', sessionId: SESSION, data: { error: new TypeError('no') } });
    await fail();
    await vi.advanceTimersByTimeAsync(3000);
    await fail();
    await vi.advanceTimersByTimeAsync(3000);
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(2);
    for (const end of [
      { event: 'session.deleted', sessionId: SESSION },
      { event: 'session.error', sessionId: SESSION, data: { error: { name: 'AbortError' } } },
    ]) {
      await fail();
      await hook.handler(end);
      hook.startLoop(SESSION, 'x');
      await project().idle(hook);
      expect(hook.getState()?.iteration).toBe(2);
    }
  });

  it('does nothing at an idle where no loop was ever started', async () => {
    const getMessages = vi.fn<() => Promise<[]>>(async () => []);
    await project().idle(project().hook({ getMessages }));
    await vi.advanceTimersByTimeAsync(500);
    expect([project().toasts, project().injected, project().logged, getMessages.mock.calls]).toEqual([[], [], [], []]);
    expect(existsSync(project().file)).toBe(false);
  });

  it('logs what the document logs, and nothing that did not happen', async () => {
    const news: [string, object | undefined][] = [];
    const note = (message: string, details?: object): void =>
      void news.push([message.replace('[ralph-loop] ', ''), details]);
    setLog({ info: note, warn: note, error: note });
    const hook = project().hook();
    const sessionId = SESSION;
    await hook.handler({ event: 'session.deleted', sessionId });
    await hook.handler({ event: 'session.error', sessionId, data: { error: { name: 'AbortError' } } });
    hook.cancelLoop(sessionId);
    expect(news).toEqual([]);
    hook.startLoop(sessionId, 'x', { maxIterations: 2 });
    await project().turn(hook, 'Turn 1.');
    await project().turn(hook, 'Turn 2.');
    hook.startLoop(sessionId, 'x', { maxIterations: 2 });
    await project().turn(hook, CLAIM);
    hook.startLoop(sessionId, 'x');
    hook.cancelLoop(sessionId);
    hook.startLoop(sessionId, 'x');
    await hook.handler({ event: 'session.deleted', sessionId });
    hook.startLoop(sessionId, 'x');
    await hook.handler({ event: 'session.error', sessionId, data: { error: { name: 'AbortError' } } });
    expect(news.filter(([message]) => message !== 'Loop started')).toEqual([
      ['Continuing loop', { sessionId, iteration: 2, max: 2 }],
      ['Max iterations reached', { sessionId, iteration: 2, max: 2 }],
      ['Completion detected!', { sessionId, iteration: 1, promise: 'DONE' }],
      ['Loop cancelled', { sessionId, iteration: 1 }],
      ['Session deleted, loop cleared', { sessionId }],
      ['User aborted, loop cleared', { sessionId }],
    ]);
    expect(news[0]).toEqual(['Loop started', { sessionId, maxIterations: 2, completionPromise: 'DONE' }]);
  });

  it('logs no end of a loop whose file was removed by hand before', async () => {
    const hook = project().hook();
    const ends = [
      () => hook.cancelLoop(SESSION),
      () => hook.handler({ event: 'session.deleted', sessionId: SESSION }),
      () => hook.handler({ event: 'session.error', sessionId: SESSION, data: { error: { name: 'AbortError' } } }),
    ];
    for (const end of ends) {
      hook.startLoop(SESSION, 'x');
      clearState(project().dir);
      await end();
      expect(project().loops()).toEqual({ x: 'cancelled' });
    }
    expect(project().logged).toEqual(Array(3).fill('[ralph-loop] Loop started'));
  });

  it('replaces whatever loop the file held when another is started', async () => {
    const hook = project().hook();
    hook.startLoop('old', 'old task');
    await hook.handler({ event: 'session.idle', sessionId: 'old' });
    hook.startLoop(SESSION, 'new task');
    expect(hook.getState()).toMatchObject({ iteration: 1, prompt: 'new task', sessionId: SESSION });
    expect(project().loops()).toEqual({ 'old task': 'cancelled', 'new task': 'running' });
    await vi.advanceTimersByTimeAsync(500);
    expect(project().injected).toEqual([]);
    await project().turn(hook, 'Turn 1.');
    expect(project().injected).toMatchObject([{ sessionId: SESSION }]);
  });
});

describe('whose loop it is', () => {
  it('never acts on the idle of another session', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'x');
    const before = project().text();
    project().messages.push({ role: 'assistant', content: CLAIM });
    await project().idle(hook, 'another');
    await vi.advanceTimersByTimeAsync(500);
    expect([project().text(), project().injected]).toEqual([before, []]);
  });

  it('clears an orphan when its session is known to be gone, and only then', async () => {
    const answers = [async () => true, () => Promise.reject(new Error('no idea')), undefined];
    for (const checkSessionExists of answers) {
      const hook = project().hook(checkSessionExists === undefined ? {} : { checkSessionExists });
      hook.startLoop('owner', 'x');
      await project().idle(hook);
      expect(hook.isLoopActive('owner')).toBe(true);
    }
    const asked: string[] = [];
    const hook = project().hook({
      checkSessionExists: async (sessionId) => {
        asked.push(sessionId);
        return false;
      },
    });
    await project().idle(hook);
    expect(asked).toEqual(['owner']);
    expect(existsSync(project().file)).toBe(false);
    expect(project().entries().at(-1)?.decision).toMatchObject({ kind: 'cancel' });
  });

  it('spares a loop that was started while it asked for the owner of the old one', async () => {
    const hook = project().hook({
      checkSessionExists: async () => {
        hook.startLoop('third', 'y');
        return false;
      },
    });
    hook.startLoop('owner', 'x');
    await project().idle(hook);
    expect(hook.isLoopActive('third')).toBe(true);
  });

  it('runs the loop of a file that took the place of a loop which then ended', async () => {
    const hook = project().hook();
    const ends = [
      () => hook.handler({ event: 'session.deleted', sessionId: 'before' }),
      () => hook.handler({ event: 'session.error', sessionId: 'before', data: { error: { name: 'AbortError' } } }),
    ];
    for (const [at, end] of ends.entries()) {
      hook.startLoop('before', 'x');
      writeState(project().dir, { ...STATE_OF_ANOTHER, sessionId: SESSION, prompt: `task ${at}` });
      const text = project().text();
      await end();
      expect(project().text()).toBe(text);
      await project().turn(hook, `Turn ${at}.`);
      expect(hook.getState(SESSION)?.iteration).toBe(2);
      clearState(project().dir);
    }
  });

  it('follows a file whose session was changed by hand', async () => {
    const hook = project().hook();
    hook.startLoop('before', 'x', { maxIterations: 9 });
    await hook.handler({ event: 'session.idle', sessionId: 'before' });
    writeFileSync(project().file, project().text().replace('"before"', `"${SESSION}"`));
    await vi.advanceTimersByTimeAsync(500);
    expect(project().injected).toEqual([]);
    await project().turn(hook, 'Turn 2.');
    expect(hook.getState(SESSION)).toMatchObject({ iteration: 3, maxIterations: 9 });
    expect(project().injected).toMatchObject([{ sessionId: SESSION }]);
  });
});

describe('hand edits', () => {
  it('count at the next idle: a raised maximum, another promise, another task', async () => {
    const { dir } = project();
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 2 });
    await project().turn(hook, 'Turn 1.');
    const state = readState(dir);
    if (state !== null) writeState(dir, { ...state, maxIterations: 9, completionPromise: 'YES', prompt: 'harder' });
    await project().turn(hook, CLAIM);
    expect(project().injected.at(-1)?.prompt).toMatch(/ITERATION 3\/9[\s\S]*<promise>YES<[\s\S]*harder$/u);
    await project().turn(hook, '<promise>yes</promise>');
    expect(hook.getState()).toBeNull();
  });

  it('begin a loop of their own when they set the counter back, with all of its iterations', async () => {
    const { dir } = project();
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    await project().turn(hook, 'Turn 1.');
    await project().turn(hook, 'Turn 2.');
    const state = readState(dir);
    if (state !== null) writeState(dir, { ...state, iteration: 1 });
    project().messages.push({ role: 'user', content: 'From the beginning, please.' });
    for (let turn = 1; turn <= 2; turn++) {
      await project().turn(hook, `Turn ${turn} again.`);
      expect(readState(dir)?.iteration).toBe(turn + 1);
    }
    await project().turn(hook, 'Turn 3.');
    expect(project().toasts.at(-1)?.title).toBe('Ralph Loop Stopped');
  });

  it('end the loop at the next idle when the file is cleared, and leave a file that was switched off', async () => {
    const { dir, file } = project();
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    clearState(dir);
    await project().turn(hook, 'Turn 1.');
    expect(project().entries().at(-1)?.decision).toEqual({ kind: 'cancel', because: 'file-removed' });
    hook.startLoop(SESSION, 'task');
    const off = project().text().replace('true', 'false');
    writeFileSync(file, off);
    await project().turn(hook, 'Turn 1.');
    expect([project().text(), project().injected]).toEqual([off, []]);
    expect(hook.isLoopActive(SESSION)).toBe(false);
    expect(hook.cancelLoop(SESSION)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('take over a file that another program wrote', async () => {
    writeState(project().dir, {
      active: true,
      iteration: 5,
      maxIterations: 6,
      completionPromise: 'DONE',
      startedAt: '2026-01-01T00:00:00.000Z',
      prompt: 'task',
      sessionId: SESSION,
    });
    const hook = project().hook();
    await project().turn(hook, 'Turn 5.');
    expect(iterationsInjected()).toEqual(['6']);
    await project().turn(hook, 'Turn 6.');
    expect(project().toasts.at(-1)?.message).toBe('Max iterations (6) reached without completion');
  });

  it('let the agent stop while the file is broken, and report it', async () => {
    const { file } = project();
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    const text = project().text();
    writeFileSync(file, text.slice(0, 40));
    await project().turn(hook, 'Turn 1.');
    expect(project().toasts.at(-1)).toMatchObject({
      variant: 'error',
      message: expect.stringMatching(/^The state file cannot be read: line \d+ is not JSON: /u) as string,
    });
    expect(project().text()).toBe(text.slice(0, 40));
    writeFileSync(file, text);
    await project().turn(hook, 'Turn 1.');
    expect(iterationsInjected()).toEqual(['2']);
  });
});

describe('faults', () => {
  it('start nothing and report it when the loop cannot be journaled', () => {
    const blocked = path.join(project().dir, 'home');
    writeState(project().dir, { ...STATE_OF_ANOTHER });
    clearState(project().dir);
    writeFileSync(blocked, 'not a folder');
    vi.stubEnv('TIRELESS_HOME', blocked);
    const hook = project().hook();
    expect(hook.startLoop(SESSION, 'task')).toBe(false);
    expect(existsSync(project().file)).toBe(false);
    expect(project().toasts.at(-1)).toMatchObject({ variant: 'error', title: 'Ralph Loop Not Started' });
  });

  it('of a screen do not stop a loop', async () => {
    const hook = project().hook({
      showToast: () => {
        throw new Error('no screen');
      },
    });
    expect(hook.startLoop(SESSION, 'task')).toBe(true);
    await project().turn(hook, 'Turn 1.');
    expect(iterationsInjected()).toEqual(['2']);
  });
});

describe('the journal', () => {
  it('can be replayed to the same decisions', async () => {
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'task');
    await project().turn(hook, 'Turn 1.');
    await project().turn(hook, CLAIM);
    expect(replay(project().entries()).differences).toEqual([]);
    expect(
      project()
        .entries()
        .map(({ event }) => event.kind),
    ).toEqual(['loop-started', 'baseline-taken', 'turn-ended', 'iteration-began', 'turn-ended']);
  });
});

const STATE_OF_ANOTHER = {
  active: true,
  iteration: 1,
  maxIterations: 3,
  completionPromise: 'DONE',
  startedAt: '',
  prompt: 'x',
  sessionId: 'another',
};

/** What a project or a home that cannot be written does to a loop that runs. */
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { canBeReadOnly, whileReadOnly } from '../support/read-only.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const folder = (): string => path.dirname(project().file);

describe.skipIf(!canBeReadOnly)('a refused startLoop (needs a folder that can be made read-only)', () => {
  it.each([SESSION, 'ses_2'])('of %s leaves the file and the loop that runs as they were', async (session) => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 3 });
    await project().turn(hook, 'one');
    const before = project().text();

    await whileReadOnly(folder(), () => expect(hook.startLoop(session, 'other')).toBe(false));
    expect([project().text(), project().loops()]).toEqual([before, { task: 'running' }]);
    await project().turn(hook, 'two');
    expect(project().injected).toHaveLength(2);
    expect(hook.getState()?.iteration).toBe(3);
  });

  it('does not take back a prompt that is on its way', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    project().messages.push({ role: 'assistant', content: 'one' });
    await project().idle(hook);

    await whileReadOnly(folder(), () => expect(hook.startLoop(SESSION, 'other')).toBe(false));
    await vi.advanceTimersByTimeAsync(500);
    expect(project().injected).toHaveLength(1);
  });
});

describe.skipIf(!canBeReadOnly)('a startLoop without a journal (needs a folder that can be made read-only)', () => {
  it.each(['.', 'sessions'])('puts the file of the loop that runs back, and it continues: %s', async (part) => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task', { maxIterations: 4 });
    await project().turn(hook, 'one');
    const before = project().text();

    const home = path.join(process.env['TIRELESS_HOME'] ?? '', part);
    await whileReadOnly(home, () => expect(project().hook().startLoop(SESSION, 'other')).toBe(false));
    expect(project().text()).toBe(before);
    await project().turn(hook, 'two');
    expect(project().injected).toHaveLength(2);
    expect(hook.getState()).toMatchObject({ prompt: 'task', iteration: 3, maxIterations: 4 });
  });

  it('removes its file where there was none', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    hook.cancelLoop(SESSION);
    const home = process.env['TIRELESS_HOME'] ?? '';
    await whileReadOnly(home, () => expect(project().hook().startLoop(SESSION, 'other')).toBe(false));
    expect(hook.getState()).toBeNull();
  });
});

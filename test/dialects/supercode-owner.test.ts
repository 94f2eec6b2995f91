/** A state file that names no session belongs to the session that drives it, and obeys that session only. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRalphCommands } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const ABORT = { event: 'session.error', data: { error: { name: 'AbortError' } } };

function writeUnowned(): void {
  mkdirSync(path.dirname(project().file), { recursive: true });
  writeFileSync(project().file, JSON.stringify({ active: true, iteration: 1, maxIterations: 5, prompt: 'task' }));
}

describe('a state file without a session', () => {
  it('belongs to the session that drives it from its first stop on', async () => {
    writeUnowned();
    const hook = project().hook();
    await project().turn(hook, 'Working.');
    expect(hook.getState(SESSION)).toMatchObject({ iteration: 2, sessionId: SESSION });
    expect(hook.isLoopActive(SESSION)).toBe(true);
    await project().idle(hook, 'another');
    expect(hook.cancelLoop('another')).toBe(false);
    expect(hook.cancelLoop(SESSION)).toBe(true);
    expect([hook.getState(), project().loops()]).toEqual([null, { task: 'cancelled' }]);
  });

  it('ends when the session that drives it is aborted or deleted, and with no other', async () => {
    for (const event of [ABORT, { event: 'session.deleted' }]) {
      writeUnowned();
      const hook = project().hook();
      await hook.handler({ ...event, sessionId: 'another' });
      expect(hook.getState()?.iteration).toBe(1);
      await project().turn(hook, 'Working.');
      await hook.handler({ ...event, sessionId: 'another' });
      expect(hook.getState()?.iteration).toBe(2);
      await hook.handler({ ...event, sessionId: SESSION });
      expect(hook.getState()).toBeNull();
    }
  });

  it('is free again when a new one without a session stands in its place', async () => {
    writeUnowned();
    const hook = project().hook();
    await project().turn(hook, 'Working.');
    writeFileSync(project().file, JSON.stringify({ active: true, iteration: 1, maxIterations: 5, prompt: 'new' }));
    await project().idle(hook, 'another');
    expect(hook.getState('another')).toMatchObject({ prompt: 'new', iteration: 2 });
    expect(project().loops()).toEqual({ task: 'cancelled', new: 'running' });
  });

  it('can be cancelled before its first stop', async () => {
    writeUnowned();
    const hook = project().hook();
    const { showToast } = { showToast: (toast: { title: string }) => void titles.push(toast.title) };
    const titles: string[] = [];
    await createRalphCommands({ hook, currentSessionId: SESSION, showToast }).handleCancelRalphCommand();
    expect([hook.getState(), titles]).toEqual([null, []]);
    expect(project().toasts.at(-1)?.title).toBe('Ralph Loop Cancelled');
  });

  it('stays with its session when a hand edit removes the name', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    await project().turn(hook, 'Working.');
    writeFileSync(project().file, project().text().replace(SESSION, ''));
    expect(hook.isLoopActive(SESSION)).toBe(true);
    expect(hook.cancelLoop('another')).toBe(false);
    await project().turn(hook, 'Working.');
    expect(hook.getState(SESSION)?.iteration).toBe(3);
  });
});

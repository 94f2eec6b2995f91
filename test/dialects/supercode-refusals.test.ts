/** Every refusal reports why. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RalphLoopConfig, RalphLoopOptions, StartLoopOptions, Toast } from '../../src/facades/supercode/index.ts';
import { createRalphCommands, createRalphLoopHook } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const lastToast = (): Toast | undefined => project().toasts.at(-1);

/** What untyped code passes. */
function untyped(options: Record<string, unknown>): StartLoopOptions & Partial<RalphLoopConfig> {
  return options;
}

function breakFile(): void {
  mkdirSync(path.dirname(project().file), { recursive: true });
  writeFileSync(project().file, '{"active": tr');
}

describe('startLoop', () => {
  it('reports a missing session', () => {
    expect(project().hook().startLoop('', 'task')).toBe(false);
    expect(lastToast()).toMatchObject({
      title: 'Ralph Loop Not Started',
      message: 'A loop needs the id of its session.',
      variant: 'error',
    });
    expect(project().logged.at(-1)).toBe('[ralph-loop] Loop not started: A loop needs the id of its session.');
  });

  it('reports the file that cannot be written, and the reason', () => {
    const hook = project().hook({ workdir: path.join('/proc', 'tireless') });
    expect(hook.startLoop(SESSION, 'task')).toBe(false);
    expect(lastToast()?.title).toBe('Ralph Loop Not Started');
    expect(lastToast()?.message).toMatch(/Cannot write \/proc\/tireless.*\(E[A-Z]+\)/u);
  });

  it('takes a maximum that is a number in a text', () => {
    const hook = project().hook();
    expect(hook.startLoop(SESSION, 'task', untyped({ maxIterations: '5' }))).toBe(true);
    expect(hook.getState()?.maxIterations).toBe(5);
  });

  it('refuses a maximum that is not a finite number, and keeps the loop that runs', () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'first');
    for (const maxIterations of ['five', '', Number.NaN, Number.POSITIVE_INFINITY, true, {}]) {
      expect(hook.startLoop(SESSION, 'second', untyped({ maxIterations }))).toBe(false);
      expect(lastToast()?.message).toMatch(/^maxIterations takes a number/u);
    }
    expect(hook.getState()?.prompt).toBe('first');
  });

  it('has 100 iterations where none were asked for', () => {
    const hook = project().hook({ config: untyped({ defaultMaxIterations: undefined, enabled: null }) });
    for (const maxIterations of [undefined, null]) {
      expect(hook.startLoop(SESSION, 'task', untyped({ maxIterations }))).toBe(true);
      expect(hook.getState()?.maxIterations).toBe(100);
    }
  });

  it('refuses a prompt or a promise that is not a text, and writes no file', () => {
    const hook = project().hook();
    expect(hook.startLoop(SESSION, 'task', untyped({ completionPromise: 7 }))).toBe(false);
    expect(lastToast()?.message).toBe('completionPromise is not a string.');
    expect(hook.getState()).toBeNull();
  });

  it('reports that the hook is disabled', () => {
    expect(
      project()
        .hook({ config: { enabled: false } })
        .startLoop(SESSION, 'task'),
    ).toBe(false);
    expect(lastToast()?.message).toBe('The Ralph Loop is disabled: config.enabled is false.');
  });

  it('reports a file that cannot be written', () => {
    mkdirSync(project().dir, { recursive: true });
    writeFileSync(path.join(project().dir, '.supercoin'), 'a file, not a folder');
    expect(project().hook().startLoop(SESSION, 'task')).toBe(false);
    expect(lastToast()).toMatchObject({ variant: 'error', message: expect.stringContaining('ralph-loop-state.json') });
  });
});

describe('the commands', () => {
  function commandsOf(options: RalphLoopOptions): ReturnType<typeof createRalphCommands> {
    const showToast = (toast: Toast): number => project().toasts.push(toast);
    const hook = createRalphLoopHook({ workdir: project().dir, ...options });
    return createRalphCommands({ hook, currentSessionId: () => SESSION, showToast });
  }

  it('show why /ralph and /cancel-ralph do nothing in a disabled hook', async () => {
    const { handleRalphCommand, handleCancelRalphCommand } = commandsOf({ config: { enabled: false } });
    await handleRalphCommand('"Fix all"');
    await handleCancelRalphCommand();
    expect(project().toasts).toMatchObject([
      { title: 'Ralph Loop Not Started', message: 'The Ralph Loop is disabled: config.enabled is false.' },
      { title: 'Ralph Loop Not Cancelled', message: 'The Ralph Loop is disabled: config.enabled is false.' },
    ]);
  });

  it('show a refusal once when hook and commands have the same screen', async () => {
    const showToast = (toast: Toast): number => project().toasts.push(toast);
    await commandsOf({ config: { enabled: false }, showToast }).handleRalphCommand('"Fix all"');
    expect(project().toasts).toHaveLength(1);
  });

  it('show the reason of a corrupt file instead of "No Active Loop"', async () => {
    breakFile();
    await commandsOf({}).handleCancelRalphCommand();
    expect(project().toasts).toHaveLength(1);
    expect(lastToast()).toMatchObject({
      title: 'Ralph Loop Not Cancelled',
      message: expect.stringMatching(
        /^The state file cannot be read: line 1 is not JSON: .*\. Correct or remove \S+$/u,
      ) as string,
      variant: 'error',
    });
  });
});

describe('cancelLoop', () => {
  it('reports a corrupt file, leaves it, and ends the loop', () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'task');
    breakFile();
    expect(hook.cancelLoop(SESSION)).toBe(false);
    expect(lastToast()?.message).toContain('The state file cannot be read: line 1 is not JSON: ');
    expect(project().loops()).toEqual({ task: 'cancelled' });
    expect(project().text()).toBe('{"active": tr');
  });

  it('has no word for a session without a loop: the command has one', () => {
    expect(project().hook().cancelLoop(SESSION)).toBe(false);
    expect([project().toasts, project().logged]).toEqual([[], []]);
  });
});

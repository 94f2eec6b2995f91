/** The test plan of the document, by its own names. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RalphLoopState } from '../../src/facades/supercode/index.ts';
import {
  buildContinuationPrompt,
  clearState,
  CONTINUATION_PROMPT_TEMPLATE,
  DEFAULT_COMPLETION_PROMISE,
  DEFAULT_CONFIG,
  DEFAULT_CONTINUATION_DELAY,
  DEFAULT_MAX_ITERATIONS,
  detectCompletionPromise,
  detectInMessages,
  HOOK_NAME,
  incrementIteration,
  readState,
  writeState,
} from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();

const STATE: RalphLoopState = {
  active: true,
  iteration: 1,
  maxIterations: 100,
  completionPromise: 'DONE',
  startedAt: '2026-01-12T09:30:00.000Z',
  prompt: 'Refactor the database layer',
  sessionId: SESSION,
};

describe('constants', () => {
  it('have the values of the document', () => {
    expect(HOOK_NAME).toBe('ralph-loop');
    expect([DEFAULT_MAX_ITERATIONS, DEFAULT_COMPLETION_PROMISE, DEFAULT_CONTINUATION_DELAY]).toEqual([
      100,
      'DONE',
      500,
    ]);
    expect(DEFAULT_CONFIG).toEqual({
      enabled: true,
      defaultMaxIterations: 100,
      defaultCompletionPromise: 'DONE',
      continuationDelay: 500,
    });
  });
});

describe('RalphLoopStorage', () => {
  it('should write and read state', () => {
    const { dir } = project();
    expect(readState(dir)).toBeNull();
    expect(writeState(dir, { ...STATE, description: 'all of it' })).toBe(true);
    expect(readState(dir)).toEqual({ ...STATE, description: 'all of it' });
    expect(project().text()).toBe(JSON.stringify({ ...STATE, description: 'all of it' }, null, 2));
  });

  it('should increment iteration', () => {
    const { dir } = project();
    expect(incrementIteration(dir)).toBeNull();
    writeState(dir, STATE);
    vi.advanceTimersByTime(1000);
    expect(incrementIteration(dir)).toEqual({ ...STATE, iteration: 2, lastIterationAt: '2026-01-12T09:30:01.000Z' });
    expect(readState(dir)?.iteration).toBe(2);
  });

  it('should clear state', () => {
    const { dir, file } = project();
    writeState(dir, STATE);
    expect(clearState(dir)).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect(clearState(dir)).toBe(true);
  });

  it('keeps the file in stateDir when one is given', () => {
    const { dir, file } = project();
    const elsewhere = path.join(dir, 'elsewhere');
    writeState(dir, STATE, elsewhere);
    expect(existsSync(path.join(elsewhere, 'ralph-loop-state.json'))).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect(readState(dir, 'elsewhere')).toEqual(STATE);
    expect(incrementIteration(dir, elsewhere)?.iteration).toBe(2);
    expect(clearState(dir, elsewhere)).toBe(true);
  });

  it('returns null for a file that cannot be read, reports it, and does not change the file', () => {
    const { dir, file, logged } = project();
    mkdirSync(path.dirname(file), { recursive: true });
    for (const broken of ['{"active": tr', '[]', '{"active":true,"iteration":"one","prompt":"x"}', '{"active":true}']) {
      writeFileSync(file, broken);
      expect(readState(dir)).toBeNull();
      expect(incrementIteration(dir)).toBeNull();
      expect(project().text()).toBe(broken);
    }
    // Once for each reading: `readState`, and `incrementIteration` before its answer.
    expect(logged).toEqual(
      Array.from({ length: 8 }, () => expect.stringContaining('[ralph-loop] Failed to read state')),
    );
  });

  it('answers false when it cannot clear, and reports it', () => {
    const { dir, file, logged } = project();
    mkdirSync(file, { recursive: true });
    expect(clearState(dir)).toBe(false);
    expect(logged.at(-1)).toContain('[ralph-loop] Failed to clear state');
  });

  it('answers false when it cannot write, and reports it', () => {
    const { dir, logged } = project();
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, '.supercoin'), 'a file, not a folder');
    expect(writeState(dir, STATE)).toBe(false);
    expect(logged.at(-1)).toContain('[ralph-loop] Failed to write state');
  });

  it('keeps unknown keys and layout when it increments', () => {
    const { dir, file } = project();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      file,
      '{ "mine": 1, "active": true,\r\n  "iteration" : 4, "prompt": "x", "lastIterationAt": "old" }\r\n',
    );
    incrementIteration(dir);
    expect(project().text()).toBe(
      '{ "mine": 1, "active": true,\r\n  "iteration" : 5, "prompt": "x", "lastIterationAt": "2026-01-12T09:30:00.000Z" }\r\n',
    );
  });
});

describe('detectCompletionPromise', () => {
  it('should detect <promise>DONE</promise>', () => {
    expect(detectCompletionPromise('All done. <promise>DONE</promise>', 'DONE')).toBe(true);
    expect(detectCompletionPromise('All DONE, I promise', 'DONE')).toBe(false);
    expect(detectCompletionPromise('<promise>NOT DONE</promise>', 'DONE')).toBe(false);
  });

  it('should handle whitespace variations', () => {
    for (const inner of [' DONE ', '\n  DONE\n', '\tDONE', 'DONE\r\n'])
      expect(detectCompletionPromise(`<promise>${inner}</promise>`, 'DONE')).toBe(true);
    expect(detectCompletionPromise('<promise>ALL\n  DONE</promise>', 'ALL DONE')).toBe(true);
  });

  it('should be case insensitive', () => {
    expect(detectCompletionPromise('<PROMISE>done</Promise>', 'Done')).toBe(true);
    expect(detectCompletionPromise('<promise>große tat</promise>', 'GROSSE TAT')).toBe(true);
  });

  it('should handle custom promises', () => {
    expect(detectCompletionPromise('<promise>ALL_FIXED</promise>', 'ALL_FIXED')).toBe(true);
    expect(detectCompletionPromise('<promise>DONE</promise>', 'ALL_FIXED')).toBe(false);
    expect(detectCompletionPromise('<promise>a.b (c)? $1 [x]*</promise>', 'a.b (c)? $1 [x]*')).toBe(true);
    expect(detectCompletionPromise('<promise>aXb</promise>', 'a.b')).toBe(false);
  });
});

describe('detectInMessages', () => {
  it('looks at assistant messages only', async () => {
    const claim = '<promise>DONE</promise>';
    expect(await detectInMessages([{ role: 'user', content: claim }, { content: claim }, {}], 'DONE')).toBe(false);
    expect(await detectInMessages([{ role: 'assistant', content: claim }, { role: 'assistant' }], 'DONE')).toBe(true);
  });
});

describe('buildContinuationPrompt', () => {
  it('fills every placeholder, as often as it stands there, with the words as they are', () => {
    const state = { ...STATE, iteration: 3, prompt: "costs $& and $' {{MAX}}", completionPromise: '$1' };
    expect(
      buildContinuationPrompt('{{ITERATION}}/{{MAX}} {{ITERATION}} {{PROMISE}}: {{PROMPT}} {{OTHER}}', state),
    ).toBe("3/100 3 $1: costs $& and $' {{MAX}} {{OTHER}}");
  });

  it('gives the text of the document', () => {
    expect(buildContinuationPrompt(CONTINUATION_PROMPT_TEMPLATE, { ...STATE, iteration: 2 })).toBe(
      [
        '[RALPH LOOP - ITERATION 2/100]',
        '',
        'Your previous attempt did not output the completion promise. Continue working on the task.',
        '',
        'IMPORTANT:',
        '- Review your progress so far',
        '- Continue from where you left off  ',
        '- When FULLY complete, output: <promise>DONE</promise>',
        '- Do not stop until the task is truly done',
        '',
        'Original task:',
        'Refactor the database layer',
      ].join('\n'),
    );
  });
});

describe('RalphLoopHook', () => {
  it('should start loop and save state', () => {
    const hook = project().hook();
    expect(hook.startLoop(SESSION, 'Refactor', { maxIterations: 50, completionPromise: 'OK', description: 'db' })).toBe(
      true,
    );
    expect(readState(project().dir)).toEqual({
      ...STATE,
      prompt: 'Refactor',
      maxIterations: 50,
      completionPromise: 'OK',
      description: 'db',
    });
    expect(hook.getState(SESSION)).toEqual(hook.getState());
    expect(hook.getState('another')).toBeNull();
    expect([hook.isLoopActive(SESSION), hook.isLoopActive('another')]).toEqual([true, false]);
    expect(project().toasts).toEqual([
      {
        title: 'Ralph Loop Started',
        message: 'Max 50 iterations. Complete with <promise>OK</promise>',
        variant: 'info',
        duration: 3000,
      },
    ]);
  });

  it('should detect completion and clear state', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'Refactor');
    await project().turn(hook, 'All done. <promise>done</promise>');
    expect(existsSync(project().file)).toBe(false);
    expect(hook.isLoopActive(SESSION)).toBe(false);
    expect(project().injected).toEqual([]);
    expect(project().toasts.at(-1)).toEqual({
      title: 'Ralph Loop Complete!',
      message: 'Task completed after 1 iteration(s)',
      variant: 'success',
      duration: 5000,
    });
    expect(project().entries().at(-1)?.decision).toMatchObject({ kind: 'complete', verified: false });
  });

  it('should increment on session.idle without completion', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'Refactor the database layer');
    vi.advanceTimersByTime(1000);
    await project().turn(hook, 'Working.');
    const state = { ...STATE, iteration: 2, lastIterationAt: '2026-01-12T09:30:01.000Z' };
    expect(hook.getState()).toEqual(state);
    expect(project().injected).toEqual([
      { sessionId: SESSION, prompt: buildContinuationPrompt(CONTINUATION_PROMPT_TEMPLATE, state) },
    ]);
    expect(project().toasts.at(-1)).toEqual({
      title: 'Ralph Loop',
      message: 'Iteration 2/100',
      variant: 'info',
      duration: 2000,
    });
  });

  it('should stop at max iterations', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'Refactor', { maxIterations: 3 });
    for (let turn = 1; turn <= 3; turn++) await project().turn(hook, `Turn ${turn}.`);
    expect(existsSync(project().file)).toBe(false);
    expect(project().injected).toHaveLength(2);
    expect(project().toasts.at(-1)).toEqual({
      title: 'Ralph Loop Stopped',
      message: 'Max iterations (3) reached without completion',
      variant: 'warning',
      duration: 5000,
    });
    expect(project().entries().at(-1)?.decision).toMatchObject({ kind: 'halt', guard: 'iterations-max', limit: 3 });
  });

  it('should cancel on user abort', async () => {
    for (const name of ['MessageAbortedError', 'AbortError']) {
      const hook = project().hook();
      hook.startLoop(SESSION, 'Refactor');
      await hook.handler({ event: 'session.error', sessionId: 'another', data: { error: { name } } });
      expect(hook.isLoopActive(SESSION)).toBe(true);
      await hook.handler({ event: 'session.error', sessionId: SESSION, data: { error: { name } } });
      expect(existsSync(project().file)).toBe(false);
      expect(project().entries().at(-1)?.decision).toEqual({ kind: 'cancel' });
    }
  });

  it('should skip during recovery', async () => {
    const hook = project().hook();
    hook.startLoop(SESSION, 'Refactor');
    await hook.handler({ event: 'session.error', sessionId: SESSION, data: { error: { name: 'ApiError' } } });
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(1);
    await vi.advanceTimersByTimeAsync(4999);
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await project().idle(hook);
    expect(hook.getState()?.iteration).toBe(2);
  });
});

describe('Ralph Loop Integration', () => {
  it('should complete after agent outputs promise', async () => {
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'Fix all', { completionPromise: 'ALL_FIXED' });
    await project().turn(hook, 'Half of it.');
    await project().turn(hook, '<promise>ALL_FIXED</promise>');
    expect(hook.getState()).toBeNull();
    expect(project().toasts.map(({ title }) => title)).toEqual([
      'Ralph Loop Started',
      'Ralph Loop',
      'Ralph Loop Complete!',
    ]);
    expect(project().toasts.at(-1)?.message).toBe('Task completed after 2 iteration(s)');
  });

  it('should continue for multiple iterations', async () => {
    const hook = project().hook();
    await hook.startWithPrompt(SESSION, 'Fix all');
    for (let turn = 1; turn <= 5; turn++) {
      await project().turn(hook, `Turn ${turn}.`);
      expect(hook.getState()?.iteration).toBe(turn + 1);
    }
    expect(project().injected.map(({ prompt }) => prompt.split('\n')[0])).toEqual([
      'Fix all',
      ...[2, 3, 4, 5, 6].map((iteration) => `[RALPH LOOP - ITERATION ${iteration}/100]`),
    ]);
  });

  it('should persist state across restarts', async () => {
    const before = project().hook();
    await before.startWithPrompt(SESSION, 'Fix all', { maxIterations: 3 });
    await project().turn(before, 'Turn 1.');
    const hook = project().hook();
    expect(hook.getState(SESSION)?.iteration).toBe(2);
    await project().turn(hook, 'Turn 2.');
    expect(hook.getState()?.iteration).toBe(3);
    await project().turn(project().hook(), 'Turn 3.');
    expect(hook.getState()).toBeNull();
    expect(project().injected).toHaveLength(3);
  });
});

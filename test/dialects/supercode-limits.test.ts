/** Every loop ends: the limits hold whatever the callbacks of the host do. */
import { describe, expect, it, vi } from 'vitest';
import type { RalphLoop, RalphLoopOptions } from '../../src/facades/supercode/index.ts';
import { setLog, writeState } from '../../src/facades/supercode/index.ts';
import { SESSION, useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();
const IDLES = 40;
const never = (): Promise<never> => new Promise(() => undefined);
const after = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

type Turn = { readonly stop: () => Promise<void> };
/** What `injectPrompt` does once the prompt is in the conversation. */
const INJECTIONS: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
  'rejects before the turn': () => Promise.reject(new Error('refused')),
  'throws at once': () => {
    throw new Error('refused');
  },
  'rejects after the turn': async ({ stop }) => {
    await stop();
    throw new Error('the stream was closed');
  },
  'rejects after the turn, and its stop is heard later': async ({ stop }) => {
    setTimeout(() => void stop(), 50);
    throw new Error('the stream was closed');
  },
  'rejects long after the turn': async ({ stop }) => {
    await stop();
    await after(3000);
    throw new Error('the stream was closed');
  },
  'resolves long after the turn': async ({ stop }) => {
    await stop();
    await after(3000);
  },
  'never settles': async ({ stop }) => {
    await stop();
    return never();
  },
  'never settles, and the stop is heard later': ({ stop }) => {
    setTimeout(() => void stop(), 50);
    return never();
  },
  'reports the stop twice': async ({ stop }) => {
    await Promise.all([stop(), stop()]);
    await stop();
  },
};

const MAX = 3;

async function drive(
  options: RalphLoopOptions,
  inject: (turn: Turn) => Promise<void>,
  says: string,
): Promise<string[]> {
  const prompts: string[] = [];
  const hook: RalphLoop = project().hook({
    injectPrompt: (_, prompt) => {
      prompts.push(prompt.split('\n')[0] ?? '');
      project().messages.push({ role: 'user', content: prompt });
      return inject({
        stop: async () => {
          project().messages.push({ role: 'assistant', content: says });
          await hook.handler({ event: 'session.idle', sessionId: SESSION });
        },
      });
    },
    ...options,
  });
  hook.startLoop(SESSION, 'task', { maxIterations: MAX });
  for (let nth = 1; nth <= IDLES; nth++) {
    await project().idle(hook);
    await vi.advanceTimersByTimeAsync(1000);
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hook.getState()).toBeNull();
  expect(Object.values(project().loops())).toEqual(['halted']);
  return prompts;
}

describe('the maximum holds when injectPrompt', () => {
  for (const [name, inject] of Object.entries(INJECTIONS))
    for (const [how, config] of [
      ['', {}],
      [', without a settle window', { continuationDelay: 0 }],
    ] as const)
      it(`${name}${how}`, async () => {
        const prompts = await drive({ config }, inject, 'Working.');
        expect(prompts).toEqual(['[RALPH LOOP - ITERATION 2/3]', '[RALPH LOOP - ITERATION 3/3]']);
      });

  it('works, and the screen and the log fail at once or later', async () => {
    const screens = [
      () => {
        throw new Error('no screen');
      },
      (): void => void Promise.reject(new Error('no screen')).catch(() => undefined),
      () => Promise.reject(new Error('no screen')),
    ];
    const fail = (): never => {
      throw new Error('no log');
    };
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    setLog({ info: fail, warn: fail, error: fail });
    for (const [nth, showToast] of screens.entries()) {
      const hook = project().hook({ showToast });
      hook.startLoop(SESSION, `task ${nth}`, { maxIterations: MAX });
      for (let turn = 1; turn <= MAX; turn++) await project().turn(hook, `Turn ${nth} ${turn}.`);
      expect(hook.getState()).toBeNull();
    }
    vi.mocked(console.error).mockRestore();
  });
});

describe('dayTurnsMax', () => {
  const reset = (): void =>
    void writeState(project().dir, {
      active: true,
      iteration: 1,
      maxIterations: 100,
      completionPromise: 'DONE',
      startedAt: new Date().toISOString(),
      prompt: 'task',
      sessionId: SESSION,
    });

  async function turns(options: RalphLoopOptions, most: number): Promise<number> {
    const hook = project().hook(options);
    for (let turn = 1; turn <= most; turn++) {
      reset();
      await project().turn(hook, 'Working.');
      if (hook.getState() === null) return turn;
    }
    return most;
  }

  it('ends loops whose files are written again and again, and the message names the option', async () => {
    expect(await turns({ dayTurnsMax: 5 }, 20)).toBe(5);
    expect(project().toasts.at(-1)).toMatchObject({
      title: 'Ralph Loop Stopped',
      message:
        '5 of 5 turns used today by the state files of this project. createRalphLoopHook({ dayTurnsMax: 25 }) allows more',
    });
    expect(await turns({ dayTurnsMax: 8 }, 20)).toBe(3);
    expect(await turns({ dayTurnsMax: 'unlimited' }, 12)).toBe(12);
  });

  it('refuses what is not a number of turns', () => {
    for (const wrong of [0, -1, 1.5, Number.NaN, Infinity])
      expect(() => project().hook({ dayTurnsMax: wrong })).toThrow(/dayTurnsMax takes a whole number from 1/u);
  });
});

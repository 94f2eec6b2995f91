import { describe, expect, it } from 'vitest';
import type { ArmRequest, ArmSteps, AsyncEffects, Loaded, Store } from '../../src/index.ts';
import {
  armLoop,
  continueInSession,
  embeddedEffects,
  handleEvent,
  openLoopOf,
  openMemoryStore,
  runAsync,
  startLoop,
} from '../../src/index.ts';
import { aCheck, aResult, aSpec } from '../support/a-loop.ts';
import { fakeClock } from '../support/fake-clock.ts';

const SESSION = { host: 'my-agent', id: 's1' } as const;

type Library = {
  readonly store: Store;
  readonly effects: AsyncEffects;
  readonly arm: (request?: Partial<ArmRequest>, steps?: ArmSteps) => Promise<string>;
  /** The code of the fault that arming throws. */
  readonly refusal: (request?: Partial<ArmRequest>, steps?: ArmSteps) => Promise<unknown>;
};

/** `whileChecked`: what happens while checks run. */
function aLibrary(whileChecked?: (effects: AsyncEffects) => Promise<unknown>): Library {
  const store = openMemoryStore();
  const effects: AsyncEffects = embeddedEffects(store, {
    readClock: fakeClock().read,
    probe: async ({ requests }) => {
      await whileChecked?.(effects);
      return requests.map((request) =>
        request.kind === 'check'
          ? { kind: 'check', result: aResult(request.check.name, 'unknown', { unknown: 'not-runnable', tail: 'no\n' }) }
          : { kind: 'workspace', fingerprint: 'f' },
      );
    },
  });
  let count = 0;
  const arm: Library['arm'] = async (request, steps) => {
    const spec = aSpec({ driver: 'session' });
    const loop = `loop-${(count += 1)}`;
    const full = { loop, spec, session: SESSION, cwd: '/project', machine: 'a-machine', ...request };
    return (await runAsync(armLoop(full, steps), effects)).prompt;
  };
  const refusal: Library['refusal'] = (request, steps) =>
    arm(request, steps).then(
      () => 'armed',
      (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
    );
  return { store, effects, arm, refusal };
}

describe('a program that arms loops with the library', () => {
  it('gets the first prompt of a loop that runs and holds its session', async () => {
    const { store, effects, arm } = aLibrary();
    expect(await arm()).toContain('Make the tests pass.');
    expect(store.load('loop-1')?.state.status).toBe('running');
    expect(await runAsync(openLoopOf(SESSION), effects)).toBe('loop-1');
  });

  it('cannot arm a session twice, and can again once its loop has ended', async () => {
    const { store, effects, arm, refusal } = aLibrary();
    await arm();
    expect(await refusal()).toBe('LOOP_STATE');
    expect(store.load('loop-2')).toBeUndefined();
    await runAsync(handleEvent('loop-1', { kind: 'cancel-requested' }), effects);
    await arm();
    expect(await runAsync(openLoopOf(SESSION), effects)).toBe('loop-3');
  });

  it('arms one loop when two arm the same session at once', async () => {
    const { store, refusal } = aLibrary();
    const answers = await Promise.all([refusal(), refusal(), refusal()]);
    expect(answers.filter((answer) => answer === 'armed')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'LOOP_STATE')).toHaveLength(2);
    expect(store.list({ ended: false })).toHaveLength(1);
  });

  it('is refused beside something else that keeps the session going, unless the loop only watches', async () => {
    const { arm, refusal } = aLibrary();
    const conflicts = [{ what: 'another loop', end: 'end it' }];
    expect(await refusal({ conflicts })).toBe('LOOP_CONFLICT');
    const spec = aSpec({ driver: 'session', observe: true });
    expect(await arm({ conflicts, spec })).not.toBe('');
  });

  it('is refused a limit on cost where the host reports no usage', async () => {
    const { refusal } = aLibrary();
    const { limits } = aSpec();
    const spec = aSpec({ driver: 'session', limits: { ...limits, costMaxUsd: 5 } });
    expect(await refusal({ spec, reportsUsage: false })).toBe('USAGE');
    expect(await refusal({ spec, reportsUsage: true })).toBe('armed');
  });

  it('leaves no open loop behind when a check cannot be run', async () => {
    const { store, refusal } = aLibrary();
    const spec = aSpec({ driver: 'session', checks: [aCheck('unit')] });
    expect(await refusal({ spec })).toBe('CHECK_NOT_RUNNABLE');
    expect(store.load('loop-1')?.state.outcome).toEqual({ kind: 'cancelled', because: 'start-failed' });
    expect(await refusal({ spec, allowMissingCheck: true })).toBe('armed');
  });

  it('leaves a loop paused that was paused while its first checks ran; resumed, it begins with the next event', async () => {
    const { store, effects, refusal } = aLibrary((now) =>
      runAsync(handleEvent('loop-1', { kind: 'pause-requested' }), now),
    );
    const spec = aSpec({ driver: 'session', checks: [aCheck('unit')] });
    expect(await refusal({ spec, allowMissingCheck: true })).toBe('LOOP_STATE');
    expect(store.load('loop-1')?.state).toMatchObject({ status: 'paused', outcome: null, baseline: null });
    expect(await runAsync(openLoopOf(SESSION), effects)).toBe('loop-1');
    await runAsync(handleEvent('loop-1', { kind: 'resume-requested' }, { noReply: true }), effects);
    expect(store.load('loop-1')?.state.status).toBe('pending');
  });

  it('leaves no open loop behind when onBound throws', async () => {
    const { store, refusal } = aLibrary();
    const onBound = (): void => {
      throw new Error('the disk is full');
    };
    expect(await refusal({}, { onBound })).toBe('the disk is full');
    expect(store.load('loop-1')?.state.status).toBe('cancelled');
  });

  it('continues a loop in another session, with its counters, and leaves the old session free', async () => {
    const { store, effects, arm } = aLibrary();
    await arm();
    await runAsync(handleEvent('loop-1', { kind: 'turn-ended', iteration: 1, worker: null }), effects);
    await runAsync(handleEvent('loop-1', { kind: 'pause-requested' }), effects);
    const other = { ...SESSION, id: 's2' };
    const { loaded, prompt } = await runAsync(continueInSession(loadedOf(store, 'loop-1'), other), effects);
    expect(loaded.state).toMatchObject({ status: 'running', session: other, counted: 1 });
    expect(prompt).toContain('Make the tests pass.');
    expect(await runAsync(openLoopOf(other), effects)).toBe('loop-1');
    expect(await runAsync(openLoopOf(SESSION), effects)).toBeUndefined();
  });

  it('continues a halted loop with another limit, and one that was never begun or is at work as it is', async () => {
    const { store, effects, arm } = aLibrary();
    const other = { ...SESSION, id: 's2' };
    const { limits } = aSpec();
    await arm({ spec: aSpec({ driver: 'session', limits: { ...limits, iterationsMax: 1 } }) });
    await runAsync(handleEvent('loop-1', { kind: 'turn-ended', iteration: 1, worker: null }), effects);
    expect(loadedOf(store, 'loop-1').state.status).toBe('halted');
    const more = { limits: { iterationsMax: 5 } };
    const resumed = await runAsync(continueInSession(loadedOf(store, 'loop-1'), other, undefined, more), effects);
    expect(resumed.loaded.state).toMatchObject({ status: 'running', session: other, counted: 1 });

    const started = { loop: 'born', spec: aSpec({ driver: 'session' }), cwd: '/project', machine: 'a-machine' };
    await runAsync(startLoop({ ...started, session: SESSION }), effects);
    expect(loadedOf(store, 'born').state.status).toBe('pending');
    const begun = await runAsync(continueInSession(loadedOf(store, 'born'), SESSION), effects);
    expect(begun.loaded.state).toMatchObject({ status: 'running', counted: 0 });
    const again = await runAsync(continueInSession(begun.loaded, SESSION), effects);
    expect(again.loaded.state).toMatchObject({ status: 'running', counted: 0 });
  });

  it('cannot continue a loop in a session that has one', async () => {
    const { store, effects, arm } = aLibrary();
    const other = { ...SESSION, id: 's2' };
    await arm();
    await arm({ session: other });
    const moving = runAsync(continueInSession(loadedOf(store, 'loop-1'), other), effects);
    await expect(moving).rejects.toMatchObject({ code: 'LOOP_STATE' });
    expect(loadedOf(store, 'loop-1').state.session).toEqual(SESSION);
  });

  it('cannot continue a loop within limits that it has used up, and nothing is changed', async () => {
    for (const begin of [aRunningLoop, aPausedLoop, aHaltedLoop]) {
      const { store, effects } = await begin();
      const before = loadedOf(store, 'loop-1');
      const other = { ...SESSION, id: 's2' };
      const limits = { iterationsMax: 1 };
      const continued = runAsync(continueInSession(before, other, undefined, { limits }), effects);
      await expect(continued).rejects.toMatchObject({ code: 'LOOP_STATE' });
      expect(loadedOf(store, 'loop-1').state).toEqual(before.state);
      expect(store.loopOfSession(other)).toBeUndefined();
    }
  });

  it('finds the loop that runs again by its session, wherever the process was killed', async () => {
    const limits = { iterationsMax: 9 };
    for (const session of [SESSION, { ...SESSION, id: 's2' }]) {
      for (let writes = 0; writes < 4; writes++) {
        const { store, effects } = await aHaltedLoop();
        const found = loadedOf(store, 'loop-1');
        const killed = killedAfter(writes, effects);
        await runAsync(continueInSession(found, session, undefined, { limits }), killed).catch(() => 'killed');
        const { status } = loadedOf(store, 'loop-1').state;
        const open = await runAsync(openLoopOf(session), effects);
        expect(open, `${session.id}, ${writes} writes, ${status}`).toBe(status === 'running' ? 'loop-1' : undefined);
        await runAsync(continueInSession(loadedOf(store, 'loop-1'), session, undefined, { limits }), effects);
        expect(await runAsync(openLoopOf(session), effects)).toBe('loop-1');
      }
    }
  });
});

async function aRunningLoop(iterationsMax = 5): Promise<Library> {
  const library = aLibrary();
  const spec = aSpec({ driver: 'session' });
  await library.arm({ spec: { ...spec, limits: { ...spec.limits, iterationsMax } } });
  for (const iteration of [1, 2])
    await runAsync(handleEvent('loop-1', { kind: 'turn-ended', iteration, worker: null }), library.effects);
  return library;
}

async function aPausedLoop(): Promise<Library> {
  const library = await aRunningLoop();
  await runAsync(handleEvent('loop-1', { kind: 'pause-requested' }), library.effects);
  return library;
}

/** Halted at its maximum; a newer loop of its session has ended since. */
async function aHaltedLoop(): Promise<Library> {
  const library = await aRunningLoop(2);
  expect(loadedOf(library.store, 'loop-1').state.status).toBe('halted');
  await library.arm();
  await runAsync(handleEvent('loop-2', { kind: 'cancel-requested' }), library.effects);
  return library;
}

/** The process is killed after that many writes. */
function killedAfter(writes: number, effects: AsyncEffects): AsyncEffects {
  let left = writes;
  const writing = <I extends readonly unknown[], R>(write: (...input: I) => R): ((...input: I) => R) => {
    return (...input) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return write(...input);
    };
  };
  return { ...effects, commit: writing(effects.commit), bindSession: writing(effects.bindSession) };
}

function loadedOf(store: Store, loop: string): Loaded {
  const loaded = store.load(loop);
  if (loaded === undefined) throw new Error('the loop is gone');
  return loaded;
}

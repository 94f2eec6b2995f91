import { describe, expect, it } from 'vitest';
import type { Worker } from '../../src/core/loop.ts';
import { DEFAULT_TIMING } from '../../src/core/loop.ts';
import type { CheckAnswer } from '../../src/core/evidence.ts';
import { aDriver, aStage, aWorker, LOOP } from '../support/a-drive.ts';
import { aCheck } from '../support/a-loop.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { scriptedAgent } from '../support/scripted-agent.ts';

const MINUTE = 60_000;
const DONE = 'All tests pass.\n\n<promise>DONE</promise>';

/** On one machine nobody takes a living driver for dead. */
const elsewhere = (id: string): Worker => ({ ...aWorker(id), machine: 'another-machine' });

describe('a driver under control', () => {
  it.each([
    ['SIGHUP', 'its terminal was closed'],
    ['SIGTERM', 'its driver received SIGTERM'],
  ] as const)('says of a pause by %s that nobody asked for it', async (signal, question) => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const driver = aDriver(
      stage,
      clock,
      scriptedAgent(clock, () => ({ workMs: 8 * MINUTE })),
    );
    await clock.advance(2 * MINUTE);
    driver.interrupt(signal);
    const { ended, loaded } = await clock.advanceUntil(driver.end);
    expect(ended).toBe('paused');
    expect(loaded.state).toMatchObject({ status: 'paused', pause: { cause: 'trouble', question } });
  });

  it('stops the agent and pauses the loop on the first Ctrl-C, and continues under the same number later', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, ({ atMs }) => (atMs === 0 ? { workMs: 8 * MINUTE } : { message: DONE }));
    const driver = aDriver(stage, clock, agent);
    await clock.advance(2 * MINUTE);
    driver.interrupt();
    const { ended, loaded } = await clock.advanceUntil(driver.end);
    expect(ended).toBe('paused');
    expect(loaded.state).toMatchObject({
      status: 'paused',
      worker: null,
      counted: 0,
      faults: 0,
      pause: { cause: 'user' },
    });
    expect(agent.cancelled).toEqual([1]);
    expect(stage.events().slice(-2)).toEqual(['pause-requested', 'worker-released']);

    await stage.control.post(LOOP, { kind: 'resume-requested' });
    const second = await clock.advanceUntil(aDriver(stage, clock, agent, { worker: aWorker('worker-2') }).end);
    expect(second.loaded.state).toMatchObject({ status: 'completed', counted: 1, runningMs: 2 * MINUTE + 1000 });
    expect(agent.delivered.map((turn) => turn.iteration)).toEqual([1, 1]);
  });

  it.each(['a pause between iterations', 'the baseline', 'the checks after a turn'])(
    'is interrupted during %s',
    async (when) => {
      const clock = fakeClock();
      let asked = 0;
      const answers: ((answer: CheckAnswer) => void)[] = [];
      const stage = await aStage({
        clock,
        spec: { checks: [aCheck('test')], timing: { ...DEFAULT_TIMING, pauseBetweenMs: 5 * MINUTE } },
        check: () => {
          asked += 1;
          const isSlow =
            (when === 'the baseline' && asked === 1) || (when === 'the checks after a turn' && asked === 2);
          return isSlow ? new Promise<CheckAnswer>((resolve) => answers.push(resolve)) : 'failed';
        },
      });
      const agent = scriptedAgent(clock, () => ({}));
      const driver = aDriver(stage, clock, agent);
      await clock.advance(MINUTE);
      driver.interrupt();
      await clock.advance(1000);
      // A real check is killed and answers; this one is told to.
      for (const answer of answers) answer('failed');
      expect((await clock.advanceUntil(driver.end)).ended).toBe('paused');
      expect(stage.state()).toMatchObject({ status: 'paused', worker: null });
      expect(clock.sleeping()).toBe(0);
    },
  );

  it('ends at once on the second Ctrl-C and says nothing more, so that the next driver takes over', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, isAlive: () => false });
    // An agent that cannot be cancelled: the first Ctrl-C alone would wait for it.
    const stuck = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE }));
    const never = new Promise<void>(() => undefined);
    const agent = {
      ...stuck,
      open: async (turn: Parameters<typeof stuck.open>[0]) => ({ ...(await stuck.open(turn)), cancel: () => never }),
    };
    let isClosed = false;
    const driver = aDriver(stage, clock, agent, { watchdog: { close: () => void (isClosed = true) } });
    await clock.advance(5000);
    driver.interrupt();
    await clock.advance(5000);
    driver.interrupt();
    const { ended, loaded } = await clock.advanceUntil(driver.end);
    expect(ended).toBe('interrupted');
    expect(loaded.state).toMatchObject({ status: 'paused', worker: { id: 'worker-1' } });
    expect(isClosed).toBe(false);

    await stage.control.post(LOOP, { kind: 'resume-requested' });
    const next = scriptedAgent(clock, () => ({ message: DONE }));
    const second = await clock.advanceUntil(aDriver(stage, clock, next, { worker: aWorker('worker-2') }).end);
    expect(second.loaded.state).toMatchObject({ status: 'completed', counted: 1 });
  });

  it.each([
    ['cancelled', 'loop-ended', { kind: 'cancel-requested' }],
    ['paused', 'paused', { kind: 'pause-requested' }],
  ] as const)('stops the agent when the loop is %s from elsewhere', async (status, ended, event) => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE }));
    const driver = aDriver(stage, clock, agent);
    await clock.advance(MINUTE);
    await stage.control.post(LOOP, event);
    const end = await clock.advanceUntil(driver.end);
    expect(end.ended).toBe(ended);
    expect(end.loaded.state).toMatchObject({ status, worker: null });
    expect(agent.cancelled).toEqual([1]);
    expect(clock.read().monotonicMs).toBeLessThan(2 * MINUTE);
  });

  it('starts the iteration again when the loop is paused and resumed behind its back', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, ({ atMs }) => (atMs === 0 ? { workMs: 8 * MINUTE } : { message: DONE }));
    const driver = aDriver(stage, clock, agent);
    await clock.advance(MINUTE);
    await stage.control.post(LOOP, { kind: 'pause-requested' });
    await stage.control.post(LOOP, { kind: 'resume-requested' });
    const { loaded } = await clock.advanceUntil(driver.end);
    expect(loaded.state).toMatchObject({ status: 'completed', counted: 1 });
    expect(agent.delivered.map((turn) => turn.iteration)).toEqual([1, 1]);
    expect(agent.cancelled).toEqual([1]);
  });

  it('is refused while another driver is alive', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE, message: DONE }));
    const first = aDriver(stage, clock, agent);
    await clock.advance(MINUTE);
    const late = scriptedAgent(clock, () => ({}));
    const second = aDriver(stage, clock, late, { worker: aWorker('worker-2') });
    await expect(clock.advanceUntil(second.end)).rejects.toMatchObject({
      code: 'LOOP_BUSY',
      message: expect.stringMatching(new RegExp(`process 4242 .*tireless pause ${LOOP}`, 'u')),
    });
    expect((await clock.advanceUntil(first.end)).loaded.state).toMatchObject({ status: 'completed', faults: 0 });
    expect(late.delivered).toEqual([]);
  });

  it('takes over from a dead driver and reruns its iteration; the zombie is refused and stops its agent', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, isAlive: (worker) => worker.id !== 'worker-1' });
    const slow = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE, message: DONE }));
    const zombie = aDriver(stage, clock, slow);
    await clock.advance(MINUTE);
    const agent = scriptedAgent(clock, () => ({ message: DONE }));
    const heir = aDriver(stage, clock, agent, { worker: elsewhere('worker-2') });
    const { loaded } = await clock.advanceUntil(heir.end);
    expect(loaded.state).toMatchObject({ status: 'completed', counted: 1, faults: 1 });
    expect(agent.delivered.map((turn) => turn.iteration)).toEqual([1]);
    expect(heir.updates.find((update) => update.kind === 'lease-taken')).toMatchObject({ from: { id: 'worker-1' } });

    expect((await clock.advanceUntil(zombie.end)).ended).toBe('lease-lost');
    expect(slow.cancelled).toEqual([1]);
    expect(stage.events().filter((event) => event === 'turn-ended')).toHaveLength(1);
  });

  it('ends as lease-lost while the heir is still at work', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, isAlive: (worker) => worker.id !== 'worker-1' });
    const agent = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE, message: DONE }));
    const zombie = aDriver(stage, clock, agent);
    await clock.advance(MINUTE);
    const heir = aDriver(stage, clock, agent, { worker: elsewhere('worker-2') });
    expect((await clock.advanceUntil(zombie.end)).ended).toBe('lease-lost');
    expect(stage.state().worker?.id).toBe('worker-2');
    expect((await clock.advanceUntil(heir.end)).loaded.state.status).toBe('completed');
  });

  it.each(['before', 'after'] as const)(
    'passes on a store that fails %s a commit, keeps what was committed, and can be resumed',
    async (mishap) => {
      const clock = fakeClock();
      let failAt = Infinity;
      let commits = 0;
      const stage = await aStage({
        clock,
        isAlive: () => false,
        store: { fail: (operation) => (operation === 'commit' && (commits += 1) >= failAt ? mishap : undefined) },
      });
      const agent = scriptedAgent(clock, ({ iteration }) => ({ message: iteration >= 3 ? DONE : 'more' }));
      failAt = 6;
      const driver = aDriver(stage, clock, agent);
      await expect(clock.advanceUntil(driver.end)).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' });
      expect(agent.openTurns()).toBe(0);
      expect(clock.sleeping()).toBe(0);

      failAt = Infinity;
      const heir = aDriver(stage, clock, agent, { worker: aWorker('worker-2') });
      expect((await clock.advanceUntil(heir.end)).loaded.state).toMatchObject({ status: 'completed', counted: 3 });
      expect(stage.events().filter((event) => event === 'turn-ended')).toHaveLength(3);
    },
  );

  it('kills the agent when the loop cannot be read any more', async () => {
    const clock = fakeClock();
    let isArmed = false;
    let isBroken = false;
    const fail = (operation: string): 'before' | undefined => {
      if (isArmed && operation === 'commit') isBroken = true;
      return isBroken && operation === 'load' ? 'before' : undefined;
    };
    const stage = await aStage({ clock, store: { fail } });
    const agent = scriptedAgent(clock, () => ({ workMs: 8 * MINUTE }));
    const driver = aDriver(stage, clock, agent);
    await clock.advance(MINUTE);
    isArmed = true;
    await stage.control.post(LOOP, { kind: 'steering-given', text: 'hello' });
    await expect(clock.advanceUntil(driver.end)).rejects.toMatchObject({ code: 'STORE_UNREADABLE' });
    expect(agent.cancelled).toEqual([1]);
  });

  it('pauses with the next step when the project directory is gone', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    let isThere = true;
    const agent = scriptedAgent(clock, () => {
      isThere = false;
      return { message: DONE };
    });
    const driver = aDriver(stage, clock, agent, { projectExists: () => isThere });
    await expect(clock.advanceUntil(driver.end)).rejects.toMatchObject({
      code: 'PROJECT_MISSING',
      message: expect.stringContaining(`tireless resume ${LOOP}`),
    });
    expect(stage.state()).toMatchObject({ status: 'paused', worker: null, counted: 0 });
  });

  it('keeps nothing of a thousand iterations', async () => {
    const clock = fakeClock();
    const stage = await aStage({
      clock,
      spec: {
        limits: {
          iterationsMax: 1000,
          durationMaxMs: 'unlimited',
          costMaxUsd: 'unlimited',
          tokensMax: 'unlimited',
          faultsInRowMax: 3,
          noProgressMax: 'unlimited',
        },
      },
    });
    const agent = scriptedAgent(clock, () => ({ workMs: 1 }));
    let most = 0;
    const driver = aDriver(stage, clock, agent, { onProgress: () => void (most = Math.max(most, clock.sleeping())) });
    const { loaded } = await clock.advanceUntil(driver.end);
    expect(loaded.state.counted).toBe(1000);
    expect(agent.delivered).toHaveLength(1000);
    // The heartbeat, the deadline of the turn and the agent's own sleep.
    expect(most).toBeLessThanOrEqual(3);
  });
});

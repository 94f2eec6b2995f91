import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/core/event.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../../src/core/loop.ts';
import { promptOf } from '../../src/core/prompt.ts';
import { aDriver, aStage, aWorker, LOOP } from '../support/a-drive.ts';
import { aCheck } from '../support/a-loop.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { scriptedAgent } from '../support/scripted-agent.ts';

const MINUTE = 60_000;
const DONE = 'All tests pass.\n\n<promise>DONE</promise>';
const transient: Failure = { class: 'transient', detail: 'exit code 1: overloaded', exitCode: 1 };

describe('driver', () => {
  it('runs a fresh turn per iteration until the checks pass, and hands over each prompt once', async () => {
    const clock = fakeClock();
    let turns = 0;
    const stage = await aStage({
      clock,
      spec: { checks: [aCheck('test')] },
      check: () => (turns >= 3 ? 'passed' : 'failed'),
    });
    const agent = scriptedAgent(clock, () => ({ message: `turn ${(turns += 1)}` }));
    const driver = aDriver(stage, clock, agent);
    const { loaded, ended } = await clock.advanceUntil(driver.end);

    expect(ended).toBe('loop-ended');
    expect(loaded.state.outcome).toEqual({ kind: 'completed', verified: true });
    expect(agent.delivered.map((turn) => turn.iteration)).toEqual([1, 2, 3]);
    expect(stage.events()).toEqual([
      'loop-started',
      'worker-leased',
      'baseline-taken',
      ...Array.from({ length: 3 }, () => ['iteration-began', 'turn-ended']).flat(),
      'worker-released',
    ]);
    expect(loaded.state.worker).toBeNull();
  });

  it('hands over the prompt of the state that the delivery committed, with what the user said meanwhile', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, spec: { timing: { ...DEFAULT_TIMING, pauseBetweenMs: 5000 } } });
    const agent = scriptedAgent(clock, ({ iteration }) => ({ message: iteration === 2 ? DONE : 'more to do' }));
    const driver = aDriver(stage, clock, agent);
    await clock.advance(3000);
    await stage.control.post(LOOP, { kind: 'steering-given', text: 'Mind the gap.' });
    await clock.advanceUntil(driver.end);

    expect(agent.delivered[1]?.prompt).toContain('Mind the gap.');
    expect(agent.delivered[1]?.atMs).toBe(6000);
    expect(agent.delivered).toHaveLength(2);
  });

  it('echoes of the prompt are told from claims by the same text', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, spec: { limits: { ...DEFAULT_LIMITS, iterationsMax: 1 } } });
    const agent = scriptedAgent(clock, ({ prompt }) => ({ message: prompt }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
    expect(agent.delivered[0]?.prompt).toContain(loaded.spec.goal);
    expect(promptOf(loaded.spec, loaded.state)).toContain(loaded.spec.goal);
  });

  it.each([
    ['iteration-timeout', { workMs: 90 * MINUTE, printEveryMs: MINUTE }, 30 * MINUTE],
    ['idle-timeout', { workMs: 90 * MINUTE, printEveryMs: 20 * MINUTE }, 10 * MINUTE],
    ['duration-max', { workMs: 90 * MINUTE, printEveryMs: MINUTE }, 5 * MINUTE],
  ] as const)('cuts a turn at its %s and counts it', async (cut, script, afterMs) => {
    const clock = fakeClock();
    const limits = {
      ...DEFAULT_LIMITS,
      iterationsMax: 1,
      ...(cut === 'duration-max' ? { durationMaxMs: 5 * MINUTE } : {}),
    };
    const stage = await aStage({ clock, spec: { limits } });
    const agent = scriptedAgent(clock, () => script);
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);

    const ended = stage.entries().find((entry) => entry.event.kind === 'turn-ended');
    expect(ended?.event).toMatchObject({ cut, iteration: 1 });
    expect(ended?.evidence.clock.monotonicMs).toBe(afterMs);
    expect(agent.cancelled).toEqual([1]);
    expect(loaded.state.counted).toBe(1);
  });

  it('lets a tool run in silence up to the iteration-timeout, and keeps what the turn had used', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, spec: { limits: { ...DEFAULT_LIMITS, iterationsMax: 1 } } });
    const usage = { costUsd: 'unknown', tokens: 340 } as const;
    const agent = scriptedAgent(clock, () => ({ workMs: 90 * MINUTE, toolRuns: { usage } }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    const ended = stage.entries().find((entry) => entry.event.kind === 'turn-ended');
    expect(ended?.event).toMatchObject({ cut: 'iteration-timeout' });
    expect(ended?.evidence.clock.monotonicMs).toBe(30 * MINUTE);
    expect(loaded.state.usage).toEqual(usage);
  });

  it('lets a slow agent live as long as it shows signs of life', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ workMs: 29 * MINUTE, printEveryMs: 9 * MINUTE, message: DONE }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.status).toBe('completed');
    expect(agent.cancelled).toEqual([]);
  });

  it('waits twice as long after each failure in a row, reruns the iteration, and halts at the limit', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, spec: { limits: { ...DEFAULT_LIMITS, faultsInRowMax: 5 } } });
    const failure: Failure = { class: 'unknown', detail: 'exit code 1' };
    const agent = scriptedAgent(clock, () => ({ workMs: 0, failure }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);

    const starts = agent.delivered.map((turn) => turn.atMs);
    expect(starts.map((start, index) => start - (starts[index - 1] ?? 0))).toEqual([0, 1000, 2000, 4000, 8000]);
    expect(agent.delivered.every((turn) => turn.iteration === 1)).toBe(true);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'faults-in-row', limit: 5, actual: 5 });
    expect(loaded.state.counted).toBe(0);
  });

  it.each(['transient', 'rate-limit'] as const)(
    'survives an outage of ten minutes (%s), and counts no running time while it waits',
    async (name) => {
      const clock = fakeClock();
      const stage = await aStage({ clock });
      const failure: Failure = { ...transient, class: name };
      const agent = scriptedAgent(clock, ({ atMs }) => (atMs < 10 * MINUTE ? { failure } : { message: DONE }));
      const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
      expect(loaded.state).toMatchObject({ status: 'completed', counted: 1 });
      expect(agent.delivered.length).toBeLessThanOrEqual(8);
      expect(loaded.state.runningMs).toBe(agent.delivered.length * 1000);
    },
  );

  it('halts after an outage that does not end', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ failure: transient }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'faults-in-row', limit: 3, actual: 3 });
    expect(agent.delivered).toHaveLength(8);
  });

  it('halts at once when the agent fails for good', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const failure: Failure = { class: 'fatal', detail: 'exit code 1: Invalid API key' };
    const agent = scriptedAgent(clock, () => ({ failure }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'agent-failed', detail: failure.detail });
    expect(agent.delivered).toHaveLength(1);
  });

  it('halts an agent that says nothing and changes nothing', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock, workspace: () => 'the same' });
    const agent = scriptedAgent(clock, () => ({ message: '' }));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'no-progress' });
  });

  describe('at a usage limit', () => {
    it('parks until the host said, counts nothing, and continues by itself', async () => {
      const clock = fakeClock();
      const stage = await aStage({ clock });
      const resumeAt = clock.read().wallMs + 90 * MINUTE;
      const limited: Failure = { class: 'usage-limit', detail: 'usage limit reached', resumeAt };
      const agent = scriptedAgent(clock, ({ atMs }) => (atMs < 90 * MINUTE ? { failure: limited } : { message: DONE }));
      const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);

      expect(agent.delivered.map(({ iteration, atMs }) => [iteration, atMs])).toEqual([
        [1, 0],
        [1, 90 * MINUTE],
      ]);
      expect(loaded.state).toMatchObject({ status: 'completed', counted: 1, faults: 0 });
      expect(loaded.state.runningMs).toBe(2000);
    });

    it('follows the wall clock when someone sets it', async () => {
      const clock = fakeClock();
      const stage = await aStage({ clock });
      const limited: Failure = { class: 'usage-limit', detail: '', resumeAt: clock.read().wallMs + 5 * 60 * MINUTE };
      const agent = scriptedAgent(clock, ({ atMs }) => (atMs === 0 ? { failure: limited } : { message: DONE }));
      const driver = aDriver(stage, clock, agent);
      await clock.advance(10 * MINUTE);
      expect(stage.state().status).toBe('paused');
      clock.jumpWall(5 * 60 * MINUTE);
      await clock.advance(MINUTE);
      expect((await clock.advanceUntil(driver.end)).loaded.state.status).toBe('completed');
    });

    it('ends as paused when it was asked not to wait', async () => {
      const clock = fakeClock();
      const stage = await aStage({ clock });
      const limited: Failure = { class: 'usage-limit', detail: '' };
      const agent = scriptedAgent(clock, () => ({ failure: limited }));
      const { ended, loaded } = await clock.advanceUntil(
        aDriver(stage, clock, agent, { waitForUsageLimit: false }).end,
      );
      expect(ended).toBe('paused');
      expect(loaded.state).toMatchObject({ status: 'paused', worker: null, pause: { cause: 'usage-limit' } });
    });

    it('stops waiting on Ctrl-C and leaves the loop parked', async () => {
      const clock = fakeClock();
      const stage = await aStage({ clock });
      const agent = scriptedAgent(clock, () => ({ failure: { class: 'usage-limit', detail: '' } }));
      const driver = aDriver(stage, clock, agent);
      await clock.advance(3 * MINUTE);
      driver.interrupt();
      expect((await clock.advanceUntil(driver.end)).ended).toBe('paused');
      expect(stage.state()).toMatchObject({ status: 'paused', worker: null });
      expect(clock.sleeping()).toBe(0);
    });
  });

  it('ends at its duration, also while it waits between iterations', async () => {
    const clock = fakeClock();
    const stage = await aStage({
      clock,
      spec: {
        limits: { ...DEFAULT_LIMITS, durationMaxMs: 10_000 },
        timing: { ...DEFAULT_TIMING, pauseBetweenMs: 60 * MINUTE },
      },
    });
    const agent = scriptedAgent(clock, () => ({}));
    const { loaded } = await clock.advanceUntil(aDriver(stage, clock, agent).end);
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'duration-max' });
    expect(loaded.state.runningMs).toBe(10_000);
    expect(agent.delivered).toHaveLength(1);
  });

  it('beats about every second, and leaves no timer and no listener behind', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ workMs: 10_000, message: DONE }));
    const driver = aDriver(stage, clock, agent);
    await clock.advanceUntil(driver.end);
    expect(driver.beats()).toBeGreaterThanOrEqual(10);
    expect(clock.sleeping()).toBe(0);
    expect(driver.listeners()).toBe(0);
    expect(agent.openTurns()).toBe(0);
  });

  it('uses the worker it was given in every event', async () => {
    const clock = fakeClock();
    const stage = await aStage({ clock });
    const agent = scriptedAgent(clock, () => ({ message: DONE }));
    await clock.advanceUntil(aDriver(stage, clock, agent, { worker: aWorker('me') }).end);
    const began = stage.entries().find((entry) => entry.event.kind === 'iteration-began');
    expect(began?.event).toEqual({ kind: 'iteration-began', iteration: 1, worker: 'me' });
  });
});

import { describe, expect, it } from 'vitest';
import { guardHit } from '../../../src/core/guards.ts';
import { foldEntry } from '../../../src/core/journal.ts';
import type { Loop } from '../../../src/core/journal.ts';
import { DEFAULT_LIMITS } from '../../../src/core/loop.ts';
import type { Limits } from '../../../src/core/loop.ts';
import { NO_PROGRESS_YET } from '../../../src/core/progress.ts';
import type { LoopView } from '../../../src/views/loop-view.ts';
import { aDriver, aStage, aWorker, LOOP } from '../../support/a-drive.ts';
import { aCheck } from '../../support/a-loop.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { aUser } from '../../support/run-cli.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';

const BLOCKED = ['--agent-command', 'cat >/dev/null; echo "<blocked>x</blocked>"'];
const LIMITED =
  '--max-iterations=7 --max-duration 5m --max-cost=2.5 --max-tokens 900 --max-faults=4 --max-no-progress 6'.split(' ');
const UNLIMITED: Limits = {
  iterationsMax: 'unlimited',
  durationMaxMs: 'unlimited',
  costMaxUsd: 'unlimited',
  tokensMax: 'unlimited',
  faultsInRowMax: 'unlimited',
  noProgressMax: 'unlimited',
};
const MUCH = {
  counted: 100,
  runningMs: 100,
  usage: { costUsd: 100, tokens: 100 },
  faultsInRow: 100,
  progress: { ...NO_PROGRESS_YET, stalledHalves: 200 },
};

describe('a limit', () => {
  it('is read by a guard, whichever it is: none is only for show', () => {
    const names = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];
    expect(names.toSorted()).toEqual(Object.keys(UNLIMITED).toSorted());
    expect(guardHit(UNLIMITED, MUCH)).toBeNull();
    const guards = names.map((name) => guardHit({ ...UNLIMITED, [name]: 100 }, MUCH)?.guard);
    expect(new Set(guards)).toEqual(
      new Set(['iterations-max', 'duration-max', 'cost-max', 'tokens-max', 'faults-in-row', 'no-progress']),
    );
  });

  it('arrives in the loop from its flag, in either spelling', async () => {
    const { stdout } = await aUser().tireless(['run', 'goal', '--json', ...BLOCKED, ...LIMITED]);
    expect((JSON.parse(stdout) as LoopView).limits).toEqual({
      iterationsMax: 7,
      durationMaxMs: 300_000,
      costMaxUsd: 2.5,
      tokensMax: 900,
      faultsInRowMax: 4,
      noProgressMax: 6,
    });
  });

  it('is never moved by the program, whatever happens on the way', async () => {
    const clock = fakeClock();
    const limits: Limits = { ...DEFAULT_LIMITS, noProgressMax: 'unlimited' };
    const stage = await aStage({ clock, spec: { checks: [aCheck('unit')], limits } });
    const agent = scriptedAgent(clock, ({ iteration, atMs }) =>
      iteration % 3 === 0 && atMs % 2000 === 0
        ? { failure: { class: 'transient', detail: 'overloaded' } }
        : { message: iteration === 2 ? '<promise>DONE</promise>' : 'more to do' },
    );
    const driver = aDriver(stage, clock, agent);
    await clock.advance(2500);
    await stage.control.post(LOOP, { kind: 'steering-given', text: 'Use as many iterations as you need.' });
    const { loaded } = await clock.advanceUntil(driver.end);
    expect(loaded.state).toMatchObject({ status: 'halted', counted: DEFAULT_LIMITS.iterationsMax });

    let loop: Loop | null = null;
    for (const entry of stage.entries()) {
      loop = foldEntry(loop, entry);
      expect(loop.state.limits).toEqual(limits);
    }
  });

  it('continues counting where a dead driver left off: iterations, time, cost and tokens', async () => {
    const clock = fakeClock();
    const limits = { ...DEFAULT_LIMITS, iterationsMax: 3, costMaxUsd: 100, tokensMax: 10_000 };
    const stage = await aStage({ clock, spec: { limits }, isAlive: () => false });
    const usage = { costUsd: 1.5, tokens: 100 };
    const agent = scriptedAgent(clock, ({ iteration, atMs }) => ({
      workMs: iteration === 3 && atMs < 60_000 ? 600_000 : 20_000,
      message: `turn at ${atMs}`,
      usage,
    }));
    const first = aDriver(stage, clock, agent);
    await clock.advance(50_000);
    // Twice: it dies without another word, in the middle of the third turn.
    first.interrupt();
    first.interrupt();
    expect((await clock.advanceUntil(first.end)).ended).toBe('interrupted');

    await clock.advance(3_600_000);
    await stage.control.post(LOOP, { kind: 'resume-requested' });
    const second = aDriver(stage, clock, agent, { worker: aWorker('worker-2') });
    const { state } = (await clock.advanceUntil(second.end)).loaded;
    expect(agent.delivered.map((turn) => turn.iteration)).toEqual([1, 2, 3, 3]);
    expect(state).toMatchObject({ counted: 3, outcome: { kind: 'halted', guard: 'iterations-max', actual: 3 } });
    expect(state.usage).toEqual({ costUsd: 4.5, tokens: 300 });
    expect(state.runningMs).toBe(70_000);
  });
});

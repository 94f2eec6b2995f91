/** An agent runs as the same user: it can append an entry that follows the chain. The driver knows which ones it wrote itself. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/core/decision.ts';
import type { Event } from '../../src/core/event.ts';
import type { Worker } from '../../src/core/loop.ts';
import type { Stage } from '../support/a-drive.ts';
import { aDriver, aStage, aWorker, LOOP } from '../support/a-drive.ts';
import { aCheck, aClock } from '../support/a-loop.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { scriptedAgent } from '../support/scripted-agent.ts';

const ME = aWorker().id;
const PROVEN: Decision = { kind: 'complete', verified: true, proofs: [{ kind: 'check', name: 'test' }] };
const GO_ON: Decision = {
  kind: 'continue',
  iteration: 2,
  strategy: 'steady',
  last: false,
  delayMs: 0,
  rerun: false,
  unmet: [],
};

/** What an agent can do: no rule is asked. */
function forge({ store }: Stage, event: Event, decision: Decision): void {
  const loaded = store.load(LOOP);
  if (loaded === undefined) throw new Error('no loop');
  const draft = { at: '2026-01-01T00:00:01.000Z', event, evidence: { clock: aClock(1000) }, decision };
  expect(store.commit(LOOP, loaded.head, draft).kind).toBe('committed');
}

async function drivenWith(
  cheat: (stage: Stage, iteration: number) => void | Promise<void>,
  worker: Worker = aWorker(),
): Promise<{ stage: Stage; failure: unknown; ended: string | undefined }> {
  const clock = fakeClock();
  const stage = await aStage({ clock, spec: { checks: [aCheck('test')] }, check: () => 'failed' });
  const cheating: Promise<void>[] = [];
  const agent = scriptedAgent(clock, ({ iteration }) => {
    cheating.push(Promise.resolve(cheat(stage, iteration)));
    return {};
  });
  const driver = aDriver(stage, clock, agent, { worker });
  let failure: unknown;
  const end = await clock.advanceUntil(
    driver.end.catch((error: unknown) => {
      failure = error;
      return undefined;
    }),
  );
  await Promise.all(cheating);
  expect(agent.openTurns()).toBe(0);
  return { stage, failure, ended: end?.ended };
}

describe('a driver that finds an entry in its name that it did not write', () => {
  it.each<readonly [string, Event, Decision]>([
    ['a proof', { kind: 'turn-ended', iteration: 1, worker: ME }, PROVEN],
    ['a turn of nobody', { kind: 'turn-ended', iteration: 1, worker: null }, PROVEN],
    ['a turn that only continues', { kind: 'turn-ended', iteration: 1, worker: ME }, GO_ON],
    ['a baseline', { kind: 'baseline-taken' }, GO_ON],
    ['the end of its lease', { kind: 'worker-released', worker: ME }, { kind: 'record' }],
    ['a proof in the name of a person who only spoke', { kind: 'steering-given', text: 'well done' }, PROVEN],
    ['a proof by an approval that nobody asked for', { kind: 'approval-given', request: 'finish' }, PROVEN],
    ['the lease of a process beside it', { kind: 'worker-leased', worker: aWorker('other') }, { kind: 'record' }],
  ])('halts the loop over %s, and never calls it proven', async (_, event, decision) => {
    const { stage, failure } = await drivenWith((on, iteration) => {
      if (iteration === 1) forge(on, event, decision);
    });
    const forged = stage.entries().findIndex((entry) => entry.decision === decision || entry.event.kind === event.kind);
    expect(forged).toBeGreaterThan(0);
    expect(failure).toMatchObject({ code: 'JOURNAL_TAMPERED' });
    expect(stage.state()).toMatchObject({ status: 'halted', outcome: { kind: 'halted', guard: 'tampered' } });
    expect(stage.events()).toContain('tampering-found');
  });

  it('finds it also when its own entry came after it', async () => {
    const { stage, failure } = await drivenWith((on, iteration) => {
      if (iteration !== 2) return;
      forge(on, { kind: 'turn-ended', iteration: 2, worker: ME }, { ...GO_ON, iteration: 3 });
      forge(on, { kind: 'iteration-began', iteration: 3, worker: ME }, { kind: 'record' });
    });
    expect(failure).toMatchObject({ code: 'JOURNAL_TAMPERED' });
    expect(stage.state()).toMatchObject({ status: 'halted', outcome: { guard: 'tampered' } });
  });

  it('lets people steer, pause and resume as they like', async () => {
    const { stage, failure, ended } = await drivenWith(async ({ control }, iteration) => {
      await control.post(LOOP, { kind: 'steering-given', text: 'faster' });
      if (iteration === 3) await control.post(LOOP, { kind: 'pause-requested' });
    });
    expect(failure).toBeUndefined();
    expect(ended).toBe('paused');
    expect(stage.state()).toMatchObject({ status: 'paused', pause: { cause: 'user' } });
  });

  it('takes no end for its own that another machine wrote after it took the lease', async () => {
    const heir = { ...aWorker('heir'), machine: 'another-machine' };
    const { ended, failure } = await drivenWith((on, iteration) => {
      if (iteration !== 1) return;
      forge(on, { kind: 'worker-leased', worker: heir }, { kind: 'record' });
      forge(on, { kind: 'turn-ended', iteration: 1, worker: 'heir' }, PROVEN);
    });
    expect(failure).toBeUndefined();
    expect(ended).toBe('lease-lost');
  });
});

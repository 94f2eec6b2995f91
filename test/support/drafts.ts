import type { Event } from '../../src/core/event.ts';
import type { Evidence } from '../../src/core/evidence.ts';
import { decide } from '../../src/core/decide.ts';
import type { LoopId, Spec } from '../../src/core/loop.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { NO_FILES } from '../../src/engine/no-files.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { Draft, Effects, Handled, Loaded, Store } from '../../src/engine/ports.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aClock, aSpec } from './a-loop.ts';

/** Only `iterationsMax` ends it. */
export function aSessionSpec(overrides: Partial<Spec> = {}, iterationsMax: number | 'unlimited' = 'unlimited'): Spec {
  return aSpec({
    driver: 'session',
    limits: {
      iterationsMax,
      durationMaxMs: 'unlimited',
      costMaxUsd: 'unlimited',
      tokensMax: 'unlimited',
      faultsInRowMax: 'unlimited',
      noProgressMax: 'unlimited',
    },
    ...overrides,
  });
}

export function aStartDraft(loop: LoopId, spec: Spec = aSessionSpec()): Draft {
  const event: Event = { kind: 'loop-started', loop, spec, session: null, cwd: '/project', machine: 'a-machine' };
  return { at: '2026-01-01T00:00:00.000Z', event, evidence: { clock: aClock() }, decision: { kind: 'record' } };
}

/** The draft with what `decide` makes of the event: only such drafts reach a store. */
export function aDraft(loaded: Loaded, event: Event, facts: Partial<Evidence> = {}): Draft {
  const evidence = { clock: aClock(loaded.head.revision * 100), ...facts };
  const decision = decide(loaded.spec, loaded.state, event, evidence);
  return { at: new Date(evidence.clock.wallMs).toISOString(), event, evidence, decision };
}

export function steering(text: string): Event {
  return { kind: 'steering-given', text };
}

/** Two stops are two events when their marks differ. */
export function aStop(mark: string): Event {
  return { kind: 'turn-ended', iteration: null, worker: null, mark: { messageHash: mark, transcriptBytes: 1 } };
}

/** Started, and running after its baseline. */
export function begin(store: Store, loop: LoopId, spec: Spec = aSessionSpec()): Loaded {
  const created = store.create(loop, aStartDraft(loop, spec));
  if (created.kind === 'conflict') throw new Error(`the loop ${loop} exists already`);
  return commit(store, created.loaded, { kind: 'baseline-taken' });
}

export function commit(store: Store, loaded: Loaded, event: Event, facts: Partial<Evidence> = {}): Loaded {
  const result = store.commit(loaded.state.loop, loaded.head, aDraft(loaded, event, facts));
  if (result.kind === 'conflict') throw new Error('somebody else was faster');
  return result.loaded;
}

/** The real pipeline over a store, in a world with nothing to observe. */
export function post(store: Store, loop: LoopId, event: Event): Handled {
  const effects: Effects = {
    ...NO_FILES,
    ...store,
    readClock: systemClock().read,
    probe: (batch) => batch.requests.map(() => ({ kind: 'workspace', fingerprint: null })),
  };
  return runSync(handleEvent(loop, event), effects);
}

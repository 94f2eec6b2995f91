import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Event, FailureClass } from './event.ts';
import { judgeProgress, NO_PROGRESS_YET } from './progress.ts';

const evidence = { clock: aClock(0) };
const spec = aSpec({ driver: 'session' });
const working = aState({ phase: 'working' });
const failed = (name: FailureClass, triesMax?: number): Event => ({
  kind: 'turn-failed',
  failure: { class: name, detail: 'why', ...(triesMax === undefined ? {} : { triesMax }) },
  iteration: null,
  worker: null,
});

describe('a failure with a number of tries', () => {
  it('is tried again before the last one, and then a person is asked', () => {
    const event = failed('transient', 2);
    const first = decide(spec, working, event, evidence);
    expect(first).toMatchObject({ kind: 'continue', rerun: true });
    const after = advance(spec, working, { event, evidence, decision: first, at: '' });
    const second = decide(spec, after, event, evidence);
    expect(second).toEqual({ kind: 'pause', cause: 'failed', question: 'why' });
    expect(advance(spec, after, { event, evidence, decision: second, at: '' })).toMatchObject({
      status: 'paused',
      counted: 0,
      faultsInRow: 2,
    });
  });

  it.each(['fatal', 'unknown', 'transient'] as const)('asks a person at once with one try: %s', (name) => {
    expect(decide(spec, working, failed(name, 1), evidence)).toMatchObject({ kind: 'pause', cause: 'failed' });
  });

  it('ends as before without such a number', () => {
    expect(decide(spec, working, failed('fatal'), evidence)).toMatchObject({ kind: 'halt', guard: 'agent-failed' });
  });
});

describe('what a failed turn used', () => {
  it.each([
    [
      { costUsd: 0.5, tokens: 100 },
      { costUsd: 0.5, tokens: 100 },
    ],
    [undefined, { costUsd: 0, tokens: 0 }],
    [
      { costUsd: 'unknown', tokens: 7 },
      { costUsd: 'unknown', tokens: 7 },
    ],
  ] as const)('is added up: %j', (usage, sum) => {
    for (const name of ['transient', 'usage-limit'] as const) {
      const seen = { ...evidence, ...(usage === undefined ? {} : { usage }) };
      const event = failed(name);
      const decision = decide(spec, working, event, seen);
      expect(advance(spec, working, { event, evidence: seen, decision, at: '' }).usage).toEqual(sum);
    }
  });
});

describe('a loop that continues in another session', () => {
  const event: Event = { kind: 'session-changed', session: { host: 'claude-code', id: 'two' } };

  it('belongs to that one from then on', () => {
    const decision = decide(spec, working, event, evidence);
    expect(decision).toEqual({ kind: 'record' });
    expect(advance(spec, working, { event, evidence, decision, at: '' }).session).toEqual(event.session);
  });

  it.each(['completed', 'cancelled'] as const)('does not when it is %s', (status) => {
    expect(decide(spec, aState({ status }), event, evidence)).toEqual({ kind: 'abstain', because: 'ended' });
  });

  it('does when it is halted: it can be resumed', () => {
    expect(decide(spec, aState({ status: 'halted' }), event, evidence)).toEqual({ kind: 'record' });
  });
});

describe('progress', () => {
  it('begins anew with a turn that the user began', () => {
    const before = { progress: { ...NO_PROGRESS_YET, stalledHalves: 4 }, checks: [], criteriaMet: [] };
    const stalledWith = (more: object): number => judgeProgress(before, { clock: aClock(0), ...more }).stalledHalves;
    expect([stalledWith({ sentBack: false }), stalledWith({ sentBack: true }), stalledWith({})]).toEqual([0, 6, 6]);
  });
});

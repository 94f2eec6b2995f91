/** Reports from a worker that does not hold the lease. */
import { describe, expect, it } from 'vitest';
import { aClock, aSpec, aState } from '../../test/support/a-loop.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';

const worker = { id: 'mine', machine: 'm', boot: 'b', pid: 1, startTime: '1' };
const working = aState({ status: 'running', phase: 'working', worker, baseline: [] });
const failure = { class: 'transient', detail: 'exit code 1' } as const;

describe('a worker without the lease', () => {
  it.each<readonly [string, (id: string | null) => Event]>([
    ['a failed turn', (id) => ({ kind: 'turn-failed', iteration: 1, worker: id, failure })],
    [
      'a fatal one',
      (id) => ({ kind: 'turn-failed', iteration: 1, worker: id, failure: { ...failure, class: 'fatal' } }),
    ],
    ['an aborted turn', (id) => ({ kind: 'turn-aborted', iteration: 1, worker: id })],
    ['the end of a turn', (id) => ({ kind: 'turn-ended', iteration: 1, worker: id })],
    ['the end of its lease', (id) => ({ kind: 'worker-released', worker: id ?? 'none' })],
  ])('is not heard about %s', (_, event) => {
    const answer = (id: string | null): string => decide(aSpec(), working, event(id), { clock: aClock(5) }).kind;
    expect([answer('other'), answer(null)]).toEqual(['abstain', 'abstain']);
    expect(answer('mine')).not.toBe('abstain');
  });

  it('begins no iteration', () => {
    const ready = { ...working, phase: 'ready' as const };
    const began = (id: string): Event => ({ kind: 'iteration-began', iteration: 1, worker: id });
    expect(decide(aSpec(), ready, began('other'), { clock: aClock(5) }).kind).toBe('abstain');
    expect(decide(aSpec(), ready, began('mine'), { clock: aClock(5) }).kind).toBe('record');
  });
});

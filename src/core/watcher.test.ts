import { describe, expect, it } from 'vitest';
import { aClock, aSpec } from '../../test/support/a-loop.ts';
import { after, ended, red, working } from '../../test/support/a-turn.ts';
import { decide } from './decide.ts';
import type { Worker } from './loop.ts';

const spec = aSpec({ driver: 'session' });
const clock = aClock();
const worker: Worker = { id: 'w', machine: 'm', boot: 'b', pid: 7, startTime: '1' };
const began = { kind: 'watcher-began', worker } as const;
const paused = after(working, ended, { ...red, approvalDue: { request: 'PAY.md', question: '?' } });

describe('a process that waits for the answer of a person', () => {
  it('is one per loop, as long as it lives', () => {
    expect(decide(spec, paused, began, { clock })).toEqual({ kind: 'record' });
    const watched = after(paused, began, { clock }, spec);
    expect(watched.watcher).toEqual(worker);
    const second = { ...began, worker: { ...worker, id: 'x' } };
    expect(decide(spec, watched, second, { clock, holderAlive: true })).toMatchObject({ because: 'held-by-other' });
    // Nobody knows whether the holder is alive, so there may be one.
    expect(decide(spec, watched, second, { clock })).toMatchObject({ because: 'held-by-other' });
    expect(decide(spec, watched, second, { clock, holderAlive: false })).toEqual({ kind: 'record' });
  });

  it('waits only for a paused loop of a session', () => {
    expect(decide(spec, working, began, { clock })).toMatchObject({ because: 'not-paused' });
    expect(decide(aSpec({ driver: 'outer' }), paused, began, { clock }).kind).toBe('abstain');
  });

  it('takes the place of one that died also when the answer came meanwhile', () => {
    const approved = { ...after(paused, began, { clock }, spec), status: 'running' } as const;
    const second = { ...began, worker: { ...worker, id: 'x' } };
    expect(decide(spec, approved, second, { clock, holderAlive: false })).toEqual({ kind: 'record' });
    expect(decide(spec, approved, second, { clock, holderAlive: true })).toMatchObject({ because: 'not-paused' });
  });

  it('reports nothing once another one took its place', () => {
    const watched = after(paused, began, { clock }, spec);
    const acted = { kind: 'watcher-acted', worker: 'w', act: 'agent-started', detail: 'claude' } as const;
    expect(decide(spec, watched, acted, { clock })).toEqual({ kind: 'record' });
    expect(decide(spec, watched, { ...acted, worker: 'x' }, { clock }).kind).toBe('abstain');
    const left = after(watched, { kind: 'watcher-ended', worker: 'w', why: 'overdue' }, { clock }, spec);
    expect(left.watcher).toBeUndefined();
    expect(decide(spec, { ...watched, status: 'completed' }, acted, { clock })).toMatchObject({ because: 'ended' });
    expect(decide(spec, left, acted, { clock }).kind).toBe('abstain');
  });
});

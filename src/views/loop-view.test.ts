import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import { viewOf } from './loop-view.ts';

const KEYS = 'id goal status iteration outcome limits usage checks host session cwd startedAt updatedAt endedAt'.split(
  ' ',
);

describe('viewOf', () => {
  it('has the keys scripts rely on, and no other while nothing is special', () => {
    expect(Object.keys(viewOf({ spec: aSpec(), state: aState() }))).toEqual(KEYS);
  });

  it('has no outcome while the loop is open', () => {
    expect(viewOf({ spec: aSpec(), state: aState() }).outcome).toBeNull();
  });

  it('has the guard and a sentence when a limit ended it', () => {
    const outcome = { kind: 'halted', guard: 'iterations-max', limit: 20, actual: 20 } as const;
    expect(viewOf({ spec: aSpec(), state: aState({ status: 'halted', outcome }) }).outcome).toEqual({
      kind: 'halted',
      verified: false,
      level: null,
      greenBefore: null,
      noRoom: null,
      guard: 'iterations-max',
      reason: 'halted: 20 of 20 iterations used',
    });
  });

  it('lists every check, and calls one that was not asked unknown', () => {
    const spec = aSpec({ checks: [aCheck('unit'), aCheck('secret', { holdout: true })] });
    expect(viewOf({ spec, state: aState({ checks: [aResult('unit', 'failed')] }) }).checks).toEqual([
      { name: 'unit', result: 'failed' },
      { name: 'secret', result: 'unknown' },
    ]);
  });

  it('says what a pause waits for and who holds the lease', () => {
    const worker = { id: 'w', machine: 'm', boot: 'b', pid: 7, startTime: '1' };
    const state = aState({ status: 'paused', worker, pause: { cause: 'usage-limit', resumeAt: 0 } });
    const view = viewOf({ spec: aSpec(), state });
    expect(view.pause).toMatchObject({ cause: 'usage-limit', question: null, resumeAt: '1970-01-01T00:00:00.000Z' });
    expect(view.driver).toEqual({ pid: 7, machine: 'm' });
  });

  it('names the agent of an outer loop where the host would stand', () => {
    const { host, session } = viewOf({ spec: aSpec({ agent: { kind: 'command', command: 'x' } }), state: aState() });
    expect({ host, session }).toEqual({ host: 'command', session: null });
  });
});

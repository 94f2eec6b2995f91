import { describe, expect, it } from 'vitest';
import { after, ended, green, red, spec, working } from '../../test/support/a-turn.ts';
import { pauseReason } from '../views/sentences.ts';
import { decide } from './decide.ts';

const due = { request: 'PAYMENT.md', question: 'move PAYMENT.md to Approved' };

describe('a request to a human that came up during a turn', () => {
  it('pauses the loop until it is answered, and an answer continues it', () => {
    const decision = decide(spec, working, ended, { ...red, approvalDue: due });
    expect(decision).toMatchObject({ kind: 'pause', cause: 'approval', ...due });
    const paused = after(working, ended, { ...red, approvalDue: due });
    expect(decide(spec, paused, { kind: 'approval-given', request: 'OTHER.md' }, red).kind).toBe('abstain');
    expect(decide(spec, paused, { kind: 'approval-given', request: 'PAYMENT.md' }, red).kind).toBe('continue');
    const refused = { kind: 'approval-refused', request: 'PAYMENT.md', reason: 'no' } as const;
    expect(decide(spec, paused, refused, red).kind).toBe('continue');
  });

  it('can be answered while the user has paused the loop, which stays paused', () => {
    const paused = after(working, { kind: 'pause-requested' }, red);
    for (const event of [
      { kind: 'approval-given', request: 'PAYMENT.md' },
      { kind: 'approval-refused', request: 'PAYMENT.md', reason: 'no' },
    ] as const) {
      const seen = { ...red, approvalDue: due };
      expect(decide(spec, paused, event, red).kind).toBe('abstain');
      expect(decide(spec, paused, event, seen)).toEqual({ kind: 'record' });
      expect(after(paused, event, seen)).toMatchObject({ status: 'paused', pause: { cause: 'user' } });
    }
  });

  it('leaves the loop paused for the next one while another is open', () => {
    const others = ['SECOND.md'];
    const paused = after(working, ended, { ...red, approvalDue: { ...due, others } });
    expect(paused.pause).toMatchObject({ request: 'PAYMENT.md', others });
    const next = { request: 'SECOND.md', question: 'move SECOND.md to Approved' };
    for (const event of [
      { kind: 'approval-given', request: 'PAYMENT.md' },
      { kind: 'approval-refused', request: 'PAYMENT.md', reason: 'no' },
    ] as const) {
      const then = after(paused, event, { ...red, approvalDue: next });
      expect(then).toMatchObject({ status: 'paused', pause: { cause: 'approval', ...next } });
      const last = after(then, { kind: 'approval-given', request: 'SECOND.md' }, red);
      expect(last).toMatchObject({ status: 'running' });
      expect(last.steering).toHaveLength(event.kind === 'approval-refused' ? 1 : 0);
    }
  });

  it('is refused while the agent works, and the loop continues', () => {
    const event = { kind: 'approval-refused', request: 'PAYMENT.md', reason: 'no' } as const;
    expect(decide(spec, working, event, red).kind).toBe('abstain');
    const told = after(working, event, { ...red, approvalDue: due });
    expect(told).toMatchObject({ status: 'running', steering: [{ refused: 'PAYMENT.md', reason: 'no' }] });
  });

  it('is not awaited after the last allowed turn, which it could not continue', () => {
    const last = { ...working, limits: { ...working.limits, iterationsMax: working.counted + 1 } };
    expect(decide(spec, last, ended, { ...red, approvalDue: due })).toMatchObject({
      kind: 'halt',
      guard: 'iterations-max',
    });
  });

  it('does not hold up a completion', () => {
    expect(decide(spec, working, ended, { ...green, approvalDue: due }).kind).toBe('complete');
  });

  it('is named to the user', () => {
    expect(pauseReason({ cause: 'approval', ...due }, working)).toBe('move PAYMENT.md to Approved');
  });
});

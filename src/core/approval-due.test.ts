import { describe, expect, it } from 'vitest';
import { after, ended, green, red, spec, working } from '../../test/support/a-turn.ts';
import { pauseReason } from '../views/sentences.ts';
import { decide } from './decide.ts';

const due = { request: 'PAYMENT.md', question: 'move PAYMENT.md to Approved' };

describe('a request to a human that came up during a turn', () => {
  it('pauses the loop until it is answered, and an answer goes on', () => {
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

  it('does not hold up a completion', () => {
    expect(decide(spec, working, ended, { ...green, approvalDue: due }).kind).toBe('complete');
  });

  it('is named to the user', () => {
    expect(pauseReason({ cause: 'approval', ...due })).toBe('move PAYMENT.md to Approved');
  });
});

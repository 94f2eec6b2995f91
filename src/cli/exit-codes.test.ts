import { describe, expect, it } from 'vitest';
import type { Guard, Outcome } from '../core/loop.ts';
import { exitCodeOf, exitCodeOfFault } from './exit-codes.ts';

const halted = (guard: Guard): Outcome => ({ kind: 'halted', guard, limit: 1, actual: 1 });

describe('exit codes of run and resume', () => {
  it.each<[string, Outcome | null, number]>([
    ['completed, verified', { kind: 'completed', verified: true }, 0],
    ['completed, unverified', { kind: 'completed', verified: false }, 0],
    ['halted by iterations', halted('iterations-max'), 3],
    ['halted by duration', halted('duration-max'), 3],
    ['halted by cost', halted('cost-max'), 3],
    ['halted by tokens', halted('tokens-max'), 3],
    ['halted without progress', halted('no-progress'), 3],
    ['halted by a fatal agent', halted('agent-failed'), 6],
    ['halted by faults in a row', halted('faults-in-row'), 6],
    ['cancelled', { kind: 'cancelled' }, 5],
    ['not over', null, 4],
  ])('%s', (_, outcome, code) => {
    expect(exitCodeOf({ outcome }, { requireVerified: false })).toBe(code);
  });

  it('is 7 for an unverified completion when a verified one was required', () => {
    const code = (verified: boolean) =>
      exitCodeOf({ outcome: { kind: 'completed', verified } }, { requireVerified: true });
    expect([code(true), code(false)]).toEqual([0, 7]);
  });

  it('is 2 for wrong usage and 1 for any other fault', () => {
    expect([exitCodeOfFault('USAGE'), exitCodeOfFault('LOOP_BUSY')]).toEqual([2, 1]);
  });
});

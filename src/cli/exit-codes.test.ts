import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import type { Guard, Level, Outcome } from '../core/loop.ts';
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
    expect(exitCodeOf({ spec: { checks: [] }, state: { outcome, approvals: [] } }, { requireVerified: false })).toBe(
      code,
    );
  });

  it('is 7 for an unverified completion when a verified one was required', () => {
    const state = { outcome: { kind: 'completed', verified: false }, approvals: [] } as const;
    expect(exitCodeOf({ spec: { checks: [] }, state }, { requireVerified: true })).toBe(7);
  });

  it.each<[Level | undefined, 'command' | 'files' | 'no checks', readonly string[], number]>([
    ['room', 'command', [], 0],
    ['room', 'command', ['finish'], 0],
    ['tree', 'command', [], 7],
    [undefined, 'command', [], 7],
    // A person accepted what the command was meant to prove.
    ['approval', 'command', ['work:0123'], 7],
    [undefined, 'files', [], 7],
    [undefined, 'files', ['finish'], 0],
    [undefined, 'no checks', ['finish'], 0],
  ])('required verified: level %s, checks: %s, approvals %j give %i', (level, checks, approvals, code) => {
    const probe = { kind: checks === 'files' ? 'git-clean' : 'command', command: 'x' } as const;
    const spec = { checks: checks === 'no checks' ? [] : [aCheck('unit', { probe })] };
    const outcome = { kind: 'completed', verified: true, ...(level === undefined ? {} : { level }) } as const;
    expect(exitCodeOf({ spec, state: { outcome, approvals } }, { requireVerified: true })).toBe(code);
  });

  it('is 2 for wrong usage and 1 for any other fault', () => {
    expect([exitCodeOfFault('USAGE'), exitCodeOfFault('LOOP_BUSY')]).toEqual([2, 1]);
  });
});

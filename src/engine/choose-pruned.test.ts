import { describe, expect, it } from 'vitest';
import { aState } from '../../test/support/a-loop.ts';
import type { State } from '../core/loop.ts';
import { choosePruned } from './choose-pruned.ts';

const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const aLoop = (loop: string, state: Partial<State>) => ({ state: aState({ loop, ...state }) });
const worker = { id: 'w', pid: 1, startedAt: '', machine: 'm', boot: 'b' } as never;
const LOOPS = [
  aLoop('third', { status: 'halted', endedAt: at(3) }),
  aLoop('first', { status: 'completed', endedAt: at(1) }),
  aLoop('second', { status: 'cancelled', endedAt: at(2) }),
  aLoop('new', { status: 'completed', endedAt: at(20) }),
  aLoop('held', { status: 'halted', endedAt: at(1), worker }),
  aLoop('running', { status: 'running', updatedAt: at(1) }),
  aLoop('paused', { status: 'paused', updatedAt: at(1) }),
  aLoop('pending', { status: 'pending', updatedAt: at(1) }),
];

describe('choosePruned', () => {
  it.each([
    [10, 0, ['first', 'second', 'third']],
    [2, 0, ['first']],
    [30, 0, ['first', 'second', 'third', 'new']],
    [30, 1, ['first', 'second', 'third']],
    [10, 2, ['first', 'second']],
    [30, 9, []],
  ])('before day %i, keeping %i, chooses %j', (day, keep, expected) => {
    const chosen = choosePruned(LOOPS, { beforeMs: Date.parse(at(day)), keep });
    expect(chosen.map(({ state }) => state.loop)).toEqual(expected);
  });
});

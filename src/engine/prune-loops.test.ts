import { expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { Loaded } from './ports.ts';
import type { Pruner } from './prune-loops.ts';
import { planPrune, prunePlanned } from './prune-loops.ts';

const ended = (loop: string): Loaded =>
  ({ spec: aSpec({}), state: aState({ loop, status: 'completed', endedAt: '2026-01-01T00:00:00.000Z' }) }) as Loaded;

it('removes what was planned, spares state files, and counts only what is gone', async () => {
  const removed: string[] = [];
  const pruner: Pruner = {
    bytesOf: () => 10,
    remove: async (loop) => (loop === 'resumed' ? 'kept' : 'removed'),
    strays: () => [{ path: '/tmp/x', bytes: 5 }],
    removeStray: ({ path }) => void removed.push(path),
  };
  const store = { list: () => ['old', 'resumed', 'filed'].map(ended) };
  const plan = planPrune({ beforeMs: Date.now(), keep: 0 }, store, {
    pruner,
    hasStateFile: ({ state }) => state.loop === 'filed',
  });
  expect(plan.loops.map(({ loaded }) => loaded.state.loop)).toEqual(['old', 'resumed']);
  expect(await prunePlanned(plan, pruner)).toEqual({ loops: ['old'], kept: ['resumed'], strays: 1, bytes: 15 });
  expect(removed).toEqual(['/tmp/x']);
});

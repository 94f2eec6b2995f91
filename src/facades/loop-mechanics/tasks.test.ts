import { expect, it } from 'vitest';
import type { LoopState } from '../../dialects/loop-mechanics/state.ts';
import { stateOfTask, taskOf } from './tasks.ts';

it('a goal with a heading of its own comes back from its task whole', () => {
  const spec = 'Build the parser.\n\nSuccess criteria:\n- parser exists\n\nAnd be quick.';
  const state: LoopState = {
    spec,
    criteria: ['all tests pass', 'docs written'],
    criteriaStatus: {},
    steps: [],
    completedSteps: [],
    remainingSteps: [],
    iteration: 1,
    status: 'in_progress',
  };
  const restored = stateOfTask({ id: 'a', ...taskOf(state, null) });
  expect(restored).toMatchObject({ spec, criteria: state.criteria });
});

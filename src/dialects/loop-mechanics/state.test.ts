import { describe, expect, it } from 'vitest';
import { readLoopState, setLoopState } from './state.ts';

const GOOD = { spec: 'x', criteria: ['a'], criteriaStatus: { a: false }, iteration: 2, status: 'in_progress' };

function readWith(changes: Readonly<Record<string, unknown>>): ReturnType<typeof readLoopState> {
  return readLoopState(JSON.stringify({ ...GOOD, ...changes }));
}

describe('readLoopState', () => {
  it.each([
    [{ iteration: '3' }, { iteration: 3 }],
    [{ iteration: 3.0 }, { iteration: 3 }],
    [{ iteration: null }, { iteration: 1 }],
    [{ maxIterations: '10' }, { maxIterations: 10 }],
    [
      { budget: '25', cost: ' 4.50 ' },
      { budget: 25, cost: 4.5 },
    ],
    [
      { budget: '$25', cost: '$0' },
      { budget: 25, cost: 0 },
    ],
    [{ criteriaStatus: { a: 'true', b: 'False' } }, { criteriaStatus: { a: true, b: false } }],
    [{ criteriaStatus: { a: null } }, { criteriaStatus: { a: false } }],
    [{ criteria: 'a' }, { criteria: ['a'] }],
    [{ criteria: ['a', 7] }, { criteria: ['a', '7'] }],
    [{ criteria: null }, { criteria: [] }],
    [
      { steps: 'one', completedSteps: [1], remainingSteps: null },
      { steps: ['one'], completedSteps: ['1'] },
    ],
    [{ spec: 42 }, { spec: '42' }],
    [{ status: null }, { status: 'in_progress' }],
    [{ status: 'In Progress' }, { status: 'in_progress' }],
    [{ status: 'in-progress' }, { status: 'in_progress' }],
    [{ status: 'pending' }, { status: 'in_progress' }],
    [{ status: 'running' }, { status: 'in_progress' }],
    [{ status: 'Completed' }, { status: 'completed' }],
    [{ status: 'done' }, { status: 'completed' }],
    [{ status: 'stopped' }, { status: 'stopped' }],
    [{ startedAt: 5, shape: 'round', errors: 'none' }, { iteration: 2 }],
  ])('reads what can only mean one thing: %j', (changes, state) => {
    expect(readWith(changes)).toMatchObject({ kind: 'state', state });
  });

  it.each([
    [{ iteration: 'two' }, 'iteration is "two", but must be a whole number from 0'],
    [{ iteration: -1 }, 'iteration is -1, but must be a whole number from 0'],
    [{ iteration: 2.5 }, 'iteration is 2.5, but must be a whole number from 0'],
    [{ iteration: true }, 'iteration is true, but must be a whole number from 0'],
    [{ maxIterations: 'many' }, 'maxIterations is "many", but must be a whole number from 0'],
    [{ maxIterations: {} }, 'maxIterations is {}, but must be a whole number from 0'],
    [{ budget: -5 }, 'budget is -5, but must be a number from 0'],
    [{ cost: 'little' }, 'cost is "little", but must be a number from 0'],
    [{ criteria: { a: true } }, 'criteria is {"a":true}, but must be a list of strings'],
    [{ criteria: [['a']] }, 'criteria is [["a"]], but must be a list of strings'],
    [{ criteriaStatus: [true] }, 'criteriaStatus is [true], but must have true or false for each criterion'],
    [{ criteriaStatus: undefined }, 'criteriaStatus is missing, but must have true or false for each criterion'],
    [{ criteriaStatus: { a: 'yes' } }, 'criteriaStatus is {"a":"yes"}, but must have true or false for each criterion'],
    [{ status: 7 }, 'status is 7, but must be "in_progress", "completed", or "stopped" to end the loop'],
    [
      { status: 'finished-ish' },
      'status is "finished-ish", but must be "in_progress", "completed", or "stopped" to end the loop',
    ],
  ])('names the field that can mean anything: %j', (changes, why) => {
    expect(readWith(changes)).toEqual({ kind: 'invalid', why });
  });

  it('shows the beginning of a long value', () => {
    const found = readWith({ iteration: 'x'.repeat(10_000) });
    expect(found.kind === 'invalid' ? found.why.length : Infinity).toBeLessThan(300);
  });

  it('takes the limits and the cost from metadata, where the State Schema spells them', () => {
    const metadata = { maxIterations: 7, budget: '25', cost: 4.5 };
    expect(readWith({ metadata })).toMatchObject({ state: { maxIterations: 7, budget: 25, cost: 4.5 } });
    expect(readWith({ maxIterations: 3, budget: null, metadata })).toMatchObject({
      state: { maxIterations: 3, cost: 4.5 },
    });
    expect(readWith({ budget: null, metadata })).not.toMatchObject({ state: { budget: 25 } });
    expect(readWith({ metadata: { maxIterations: 'many' } })).toEqual({
      kind: 'invalid',
      why: 'metadata.maxIterations is "many", but must be a whole number from 0',
    });
  });

  it('writes them where they are', () => {
    const text = JSON.stringify({ criteriaStatus: {}, metadata: { maxIterations: 7 } });
    expect(JSON.parse(setLoopState(text, { maxIterations: 9, budget: 5 }))).toEqual({
      criteriaStatus: {},
      metadata: { maxIterations: 9 },
      budget: 5,
    });
  });
});

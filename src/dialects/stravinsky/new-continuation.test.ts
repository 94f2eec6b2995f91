import { describe, expect, it } from 'vitest';
import { faultOf } from '../../../test/support/fault-of.ts';
import type { NewContinuation } from './new-continuation.ts';
import { newContinuation } from './new-continuation.ts';
import { parseState } from './read.ts';

const fields = (asked: NewContinuation) => parseState(newContinuation(asked));
/** What an untyped program passes. */
const untyped = (asked: unknown): string => newContinuation(asked as NewContinuation);

describe('a new state file of Stravinsky', () => {
  it('takes the names of the document', () => {
    expect(fields({ completion_promise: 'All green', max_iterations: 15, iteration_count: 2, active: false })).toEqual({
      iteration_count: 2,
      max_iterations: 15,
      completion_promise: 'All green',
      active: false,
      body: '\n',
    });
  });

  it('takes the names of this library for the same', () => {
    expect(newContinuation({ goal: 'Do it.', completionPromise: 'All green', maxIterations: 15 })).toBe(
      newContinuation({ body: '\nDo it.\n', completion_promise: 'All green', max_iterations: 15 }),
    );
  });

  it('can be made of a state that was read', () => {
    const text = newContinuation({ goal: 'Do it.', completion_promise: 'All green' });
    const state = parseState(text);
    expect(state === undefined ? '' : newContinuation(state)).toBe(text);
  });

  it.each([
    [{ completion_promise: 'x', max_iteration: 5 }, 'max_iteration'],
    [{ completion_promise: 'x', completionPromise: 'y' }, 'completion_promise'],
    [{ completion_promise: 'x', goal: 'a', body: 'b' }, 'body'],
    [{ goal: 'x' }, 'completion_promise'],
    [{ completion_promise: undefined }, 'completion_promise'],
    [{ completion_promise: 5 }, 'completion_promise'],
    [{ completion_promise: 'x', max_iterations: '5' }, 'max_iterations'],
    [{ completion_promise: 'x', max_iterations: 2.5 }, 'max_iterations'],
    [{ completion_promise: 'x', maxIterations: Number.NaN }, 'maxIterations'],
    [{ completion_promise: 'x', active: 'yes' }, 'active'],
    [{ completion_promise: 'x', goal: 7 }, 'goal'],
    ['make it green', 'object'],
    [undefined, 'object'],
  ])('refuses %j, and names what is wrong', (asked, name) => {
    const fault = faultOf(() => untyped(asked));
    expect(fault.code).toBe('USAGE');
    expect(fault.message).toContain(name);
  });
});

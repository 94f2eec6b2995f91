import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { Bug } from '../core/fault.ts';
import { loopOf } from '../core/journal.ts';
import { assertValid } from './state-validity.ts';

describe('a state that is about to be kept', () => {
  it('is paused exactly when it says why', () => {
    expect(() => assertValid(loopOf(aSpec(), aState()))).not.toThrow();
    expect(() => assertValid(loopOf(aSpec(), aState({ status: 'paused', pause: null })))).toThrow(Bug);
    expect(() => assertValid(loopOf(aSpec(), aState({ pause: { cause: 'user' } as never })))).toThrow(Bug);
  });
});

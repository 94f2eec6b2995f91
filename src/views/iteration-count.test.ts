import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { State } from '../core/loop.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { counterFor, turnsAllowed } from '../dialects/counting.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { countText, iterationCountOf, limitForMaximum } from './iteration-count.ts';
import { decisionSentence, outcomeSentence } from './sentences.ts';

const MAXIMUM = 10;

function textOf(dialect: string | null, state: Partial<State>): string {
  const spec = aSpec(dialect === null ? {} : { dialect: { name: dialect, file: 'state' } });
  return countText(iterationCountOf({ spec, state: aState({ status: 'running', ...state }) }));
}

describe.each(DIALECT_NAMES)('the iterations of a %s loop', (name) => {
  const { counting } = DIALECTS[name];
  const dialect = { name, file: 'state' };
  const limit = turnsAllowed(MAXIMUM, counting);
  const limits = { ...DEFAULT_LIMITS, iterationsMax: limit };
  const halted = { kind: 'halted', guard: 'iterations-max', limit, actual: limit } as const;

  it('are the counter and the maximum of its file while it runs', () => {
    const file = { read: null, written: 'h', older: [], counted: 4 };
    expect(textOf(name, { counted: 4, limits, file })).toBe(`${counterFor(4, counting)} of ${MAXIMUM}`);
    expect(textOf(name, { counted: 0, limits })).toBe(`${counting.start} of ${MAXIMUM}`);
  });

  it('are ten of ten at its maximum, in the state and in the decision', () => {
    const state = aState({ status: 'halted', outcome: halted, counted: limit, limits });
    expect(textOf(name, state)).toBe('10 of 10');
    expect(outcomeSentence({ spec: aSpec({ dialect }), state })).toBe('halted: 10 of 10 iterations used');
    expect(decisionSentence({ ...halted, kind: 'halt', unmet: [] }, dialect)).toBe('halted: 10 of 10 iterations used');
  });

  it('are not more than there are when the maximum was lowered below the counter', () => {
    const lowered = { ...halted, limit: turnsAllowed(3, counting) };
    expect(decisionSentence({ ...lowered, kind: 'halt', unmet: [] }, dialect)).toBe(
      'halted: 10 iterations used, and the maximum is 3',
    );
  });

  it('are those of the file when that was deleted, and no turn ended the loop', () => {
    const outcome = { kind: 'cancelled', because: 'file-removed' } as const;
    const file = { read: null, written: null, older: [] };
    expect(textOf(name, { status: 'cancelled', counted: 4, limits, outcome, file })).toBe(
      `${counterFor(4, counting)} of ${MAXIMUM}`,
    );
  });

  it('are typed as they are shown', () => {
    expect(limitForMaximum(MAXIMUM, dialect)).toBe(limit);
    expect(limitForMaximum('unlimited', dialect)).toBe('unlimited');
  });
});

describe('the iterations of another loop', () => {
  it.each([null, 'unheard-of'])('are counted from one (dialect: %s)', (name) => {
    expect(textOf(name, { counted: 4 })).toBe('5 of 20');
    expect(textOf(name, { counted: 4, limits: { ...DEFAULT_LIMITS, iterationsMax: 'unlimited' } })).toBe('5');
  });
});

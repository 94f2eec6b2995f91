import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../test/support/a-loop.ts';
import { evaluate } from './finish-rule.ts';

describe('a criterion that a check decides', () => {
  const spec = aSpec({ checks: [aCheck('unit')], criteria: [{ text: 'adds up', by: 'check', check: 'unit' }] });
  const found = (result: 'passed' | 'failed' | 'unknown', criteriaMet: readonly string[] = []) =>
    evaluate({ kind: 'criterion', text: 'adds up' }, spec, {
      claimed: null,
      checks: [aResult('unit', result)],
      criteriaMet,
      approvals: [],
    });

  it('is met by the check, which is its proof', () => {
    expect(found('passed')).toEqual({ value: true, proofs: [{ kind: 'check', name: 'unit' }], unmet: [] });
  });

  it.each([['failed', false] as const, ['unknown', 'unknown'] as const])('is %s like the check', (result, value) => {
    const unmet = [{ kind: 'criterion', text: 'adds up' }];
    expect(found(result)).toEqual({ value, proofs: [], unmet });
    // The agent's own tick is no substitute.
    expect(found(result, ['adds up'])).toEqual({ value, proofs: [], unmet });
  });
});

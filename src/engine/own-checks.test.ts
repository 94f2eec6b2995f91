import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import { withOwnChecks } from './own-checks.ts';

describe('checks that the user adds to the rule of a document', () => {
  const rule = { kind: 'claim' } as const;

  it('have to pass beside it, also when it is only one', () => {
    expect(withOwnChecks(rule, [aCheck('unit')])).toEqual({ kind: 'all', of: [rule, { kind: 'check', name: 'unit' }] });
    const moved = aCheck('note', { probe: { kind: 'file-moved', path: 'a' } as never });
    expect(withOwnChecks(rule, [aCheck('unit'), moved])).toEqual({
      kind: 'all',
      of: [rule, { kind: 'check', name: 'unit' }, { kind: 'file-moved', name: 'note' }],
    });
  });

  it('leave the rule as it is where there are none', () => {
    expect(withOwnChecks(rule, [])).toBe(rule);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../test/support/a-loop.ts';
import type { Facts, FinishRule } from './finish-rule.ts';
import { evaluate, finishRuleOf, isVerified, isMetButForHoldouts } from './finish-rule.ts';

const nothing: Facts = { claimed: null, checks: [], criteriaMet: [], approvals: [] };
const check = (name: string): FinishRule => ({ kind: 'check', name });

describe('finish rule', () => {
  const spec = aSpec({ checks: [aCheck('unit'), aCheck('lint')] });
  const value = (rule: FinishRule, facts: Partial<Facts>): boolean | 'unknown' =>
    evaluate(rule, spec, { ...nothing, ...facts }).value;

  it('treats an unknown check as neither true nor false, also under not', () => {
    const facts = { checks: [aResult('unit', 'unknown')] };
    expect(value(check('unit'), facts)).toBe('unknown');
    expect(value({ kind: 'not', of: check('unit') }, facts)).toBe('unknown');
    expect(value({ kind: 'not', of: { kind: 'not', of: check('unit') } }, facts)).toBe('unknown');
  });

  it('treats a check that was not run as unknown', () => {
    expect(value(check('unit'), {})).toBe('unknown');
  });

  it('lets a known false decide all and a known true decide any, whatever is unknown beside them', () => {
    const facts = { checks: [aResult('unit', 'unknown'), aResult('lint', 'failed')] };
    expect(value({ kind: 'all', of: [check('unit'), check('lint')] }, facts)).toBe(false);
    expect(value({ kind: 'any', of: [check('unit'), { kind: 'claim' }] }, { ...facts, claimed: 'DONE' })).toBe(true);
  });

  it('is never satisfied by an empty any', () => {
    expect(value({ kind: 'any', of: [] }, { claimed: 'DONE' })).toBe(false);
  });

  it('names every unmet part, and only those', () => {
    const rule: FinishRule = { kind: 'all', of: [check('unit'), check('lint'), { kind: 'claim' }] };
    const finding = evaluate(rule, spec, {
      ...nothing,
      checks: [aResult('unit', 'passed'), aResult('lint', 'failed')],
    });
    expect(finding.unmet).toEqual([{ kind: 'check', name: 'lint', result: 'failed' }, { kind: 'claim' }]);
  });

  it('obeys the laws of three-valued logic for every rule and every set of facts', () => {
    const atoms: FinishRule[] = [
      check('unit'),
      check('lint'),
      { kind: 'claim' },
      { kind: 'approval', request: 'finish' },
      { kind: 'criterion', text: 'c' },
    ];
    const rules = fc.letrec<{ rule: FinishRule }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...atoms),
        fc.record({ kind: fc.constant('all' as const), of: fc.array(tie('rule'), { maxLength: 3 }) }),
        fc.record({ kind: fc.constant('any' as const), of: fc.array(tie('rule'), { maxLength: 3 }) }),
        fc.record({ kind: fc.constant('not' as const), of: tie('rule') }),
      ),
    })).rule;
    const results = fc.constantFrom('passed' as const, 'failed' as const, 'unknown' as const);
    const facts = fc.record({
      claimed: fc.constantFrom(null, 'DONE'),
      checks: fc.tuple(results, results).map(([unit, lint]) => [aResult('unit', unit), aResult('lint', lint)]),
      criteriaMet: fc.constantFrom([], ['c']),
      approvals: fc.constantFrom([], ['finish']),
    });
    const flip = { true: false, false: true, unknown: 'unknown' } as const;
    fc.assert(
      fc.property(rules, rules, facts, (a, b, known) => {
        const of = (rule: FinishRule): boolean | 'unknown' => evaluate(rule, spec, known).value;
        const not = (inner: FinishRule): FinishRule => ({ kind: 'not', of: inner });
        expect(of(not(a))).toBe(flip[`${of(a)}`]);
        expect(of(not({ kind: 'all', of: [a, b] }))).toBe(of({ kind: 'any', of: [not(a), not(b)] }));
        const finding = evaluate(a, spec, known);
        expect(finding.value === true).toBe(
          finding.unmet.length === 0 && finding.value !== false && finding.value !== 'unknown',
        );
      }),
    );
  });
});

describe('verified', () => {
  const spec = aSpec({
    checks: [aCheck('moved', { probe: { kind: 'file-moved', path: 'a.md', folder: 'Done' } }), aCheck('unit')],
    criteria: [
      { text: 'docs', by: 'agent' },
      { text: 'looks right', by: 'human' },
    ],
  });
  const verified = (rule: FinishRule, facts: Partial<Facts>): boolean =>
    isVerified(evaluate(rule, spec, { ...nothing, ...facts }).proofs);

  it('is a passed check or a human, never a claim, a tick of the agent or a moved file', () => {
    expect(verified(check('unit'), { checks: [aResult('unit', 'passed')] })).toBe(true);
    expect(verified({ kind: 'approval', request: 'finish' }, { approvals: ['finish'] })).toBe(true);
    expect(verified({ kind: 'criterion', text: 'looks right' }, { approvals: ['looks right'] })).toBe(true);
    expect(verified({ kind: 'claim' }, { claimed: 'DONE' })).toBe(false);
    expect(verified({ kind: 'criterion', text: 'docs' }, { criteriaMet: ['docs'] })).toBe(false);
    expect(verified({ kind: 'file-moved', name: 'moved' }, { checks: [aResult('moved', 'passed')] })).toBe(false);
  });

  it('is not had by the absence of something', () => {
    expect(verified({ kind: 'not', of: check('unit') }, { checks: [aResult('unit', 'failed')] })).toBe(false);
  });
});

describe('the default finish rule', () => {
  const kinds = (rule: FinishRule): string[] => (rule.kind === 'all' ? rule.of.map((part) => part.kind) : [rule.kind]);

  it('asks for the checks alone when one was red before the agent began', () => {
    expect(kinds(finishRuleOf(aSpec({ checks: [aCheck('unit')] }), [aResult('unit', 'failed')]))).toEqual(['check']);
  });

  it('asks for a claim too when everything was green before the agent began', () => {
    expect(kinds(finishRuleOf(aSpec({ checks: [aCheck('unit')] }), [aResult('unit', 'passed')]))).toEqual([
      'check',
      'claim',
    ]);
  });

  it('asks for a claim too when the user typed one', () => {
    expect(
      kinds(finishRuleOf(aSpec({ checks: [aCheck('unit')], claimRequired: true }), [aResult('unit', 'failed')])),
    ).toEqual(['check', 'claim']);
  });

  it('asks for the claim without checks, also when there are only hold-outs', () => {
    expect(kinds(finishRuleOf(aSpec({ checks: [] }), []))).toEqual(['claim']);
    expect(kinds(finishRuleOf(aSpec({ checks: [aCheck('secret', { holdout: true })] }), []))).toEqual([
      'check',
      'claim',
    ]);
  });

  it('adds a human on top when the finish needs approval', () => {
    expect(kinds(finishRuleOf(aSpec({ checks: [aCheck('unit')], approveFinish: true }), []))).toEqual([
      'all',
      'approval',
    ]);
  });
});

describe('hold-out checks', () => {
  const spec = aSpec({ checks: [aCheck('unit'), aCheck('secret', { holdout: true })] });
  const rule = finishRuleOf(spec, [aResult('unit', 'failed')]);

  it('are run only when everything else passes', () => {
    expect(isMetButForHoldouts(rule, spec, { ...nothing, checks: [aResult('unit', 'failed')] })).toBe(false);
    expect(isMetButForHoldouts(rule, spec, { ...nothing, checks: [aResult('unit', 'unknown')] })).toBe(false);
    expect(isMetButForHoldouts(rule, spec, { ...nothing, checks: [aResult('unit', 'passed')] })).toBe(true);
  });

  it('are marked as hidden wherever they are unmet', () => {
    const finding = evaluate(rule, spec, {
      ...nothing,
      checks: [aResult('unit', 'passed'), aResult('secret', 'failed', { holdout: true })],
    });
    expect(finding.unmet).toEqual([{ kind: 'check', name: 'secret', result: 'failed', holdout: true }]);
  });
});

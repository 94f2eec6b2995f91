import { describe, expect, it } from 'vitest';
import { aResult, aState, aSpec } from '../../test/support/a-loop.ts';
import type { Decision, Unmet } from '../core/decision.ts';
import { decisionSentence, outcomeSentence, raiseAdvice, unmetSentence } from './sentences.ts';

const unit: Unmet = { kind: 'check', name: 'unit', result: 'failed' };
const lint: Unmet = { kind: 'check', name: 'lint', result: 'failed' };
const halt = { kind: 'halt', guard: 'iterations-max', limit: 20, actual: 20, unmet: [unit, lint] } as const;

describe('decisionSentence', () => {
  it.each<[string, Decision]>([
    ['halted: 20 of 20 iterations used, 2 checks still fail: unit, lint', halt],
    [
      'halted: 4h 00m of 4h running time used',
      { ...halt, guard: 'duration-max', limit: 14_400_000, actual: 14_400_000, unmet: [] },
    ],
    ['halted: $2.60 of $2.50 spent', { ...halt, guard: 'cost-max', limit: 2.5, actual: 2.6, unmet: [] }],
    ['halted: 7 of 5 tokens used', { ...halt, guard: 'tokens-max', limit: 5, actual: 7, unmet: [] }],
    [
      'halted: 3 agent faults in a row (3 allowed)',
      { ...halt, guard: 'faults-in-row', limit: 3, actual: 3, unmet: [] },
    ],
    [
      'halted: no progress in 3 iterations (3 allowed)',
      { ...halt, guard: 'no-progress', limit: 3, actual: 3.5, unmet: [] },
    ],
    [
      'halted: the agent failed and would fail again: no key',
      { ...halt, guard: 'agent-failed', limit: null, actual: null, detail: 'no key', unmet: [] },
    ],
    [
      'completed, verified (work tree only): check "unit" passed',
      { kind: 'complete', verified: true, proofs: [{ kind: 'check', name: 'unit' }] },
    ],
    [
      "completed, unverified (only the agent's word): the agent claimed DONE",
      { kind: 'complete', verified: false, proofs: [{ kind: 'claim', name: 'DONE' }] },
    ],
    [
      'run iteration 3 again (the last one allowed; after 2s): 1 check still fails: unit',
      { kind: 'continue', iteration: 3, strategy: 'steady', last: true, delayMs: 2000, rerun: true, unmet: [unit] },
    ],
    ['no action: the loop has ended', { kind: 'abstain', because: 'ended' }],
  ])('says "%s"', (sentence, decision) => {
    expect(decisionSentence(decision, undefined)).toBe(sentence);
  });

  it('lets nothing an agent wrote drive the terminal', () => {
    expect(decisionSentence({ kind: 'pause', cause: 'failed', question: 'no \u001B[2Jnetwork' }, undefined)).toBe(
      "paused: the agent's turn failed: no network",
    );
    expect(decisionSentence({ kind: 'pause', cause: 'blocked', question: '\u001B[2Jno key\u0007' }, undefined)).toBe(
      'paused: the agent is blocked: no key',
    );
  });
});

describe('unmetSentence', () => {
  it('tells still red from broken, unanswered, open and unclaimed', () => {
    expect(
      unmetSentence([
        unit,
        { ...lint, regressed: true },
        { kind: 'check', name: 'e2e', result: 'unknown' },
        { kind: 'check', name: 'holdout-1', result: 'not-run', holdout: true },
        { kind: 'criterion', text: 'docs' },
        { kind: 'claim' },
      ]),
    ).toBe(
      '1 check still fails: unit; 1 check passed at the start and fails now: lint; 1 check without a result: e2e; 1 check not run yet; 1 criterion is open: docs; the agent has not claimed to be done',
    );
  });

  it('says why what looks like a claim does not count', () => {
    const near = (why: 'not-alone' | 'no-tag'): string =>
      unmetSentence([{ kind: 'claim', near: { text: 'DONE', why } }]);
    expect(near('not-alone')).toBe('DONE was found inside a sentence: to count, its tag must be alone on a line');
    expect(near('no-tag')).toBe('DONE was found without its tag: to count, it must be inside the tag, alone on a line');
  });

  it('names five and counts the rest', () => {
    const many = Array.from({ length: 8 }, (_, index): Unmet => ({
      kind: 'check',
      name: `c${index}`,
      result: 'failed',
    }));
    expect(unmetSentence(many)).toBe('8 checks still fail: c0, c1, c2, c3, c4 and 3 more');
  });
});

describe('outcomeSentence', () => {
  it('never says verified and unverified with the same word', () => {
    const checks = [aResult('unit', 'passed')];
    const completed = (verified: boolean) =>
      outcomeSentence({
        spec: aSpec(),
        state: aState({ status: 'completed', outcome: { kind: 'completed', verified }, checks }),
      });
    expect(completed(true)).toBe('completed, verified (work tree only); 1 check passed: unit');
    expect(completed(false)).toBe("completed, unverified (only the agent's word)");
  });

  it('names no level where nothing but a person verified the work', () => {
    const state = aState({ status: 'completed', outcome: { kind: 'completed', verified: true }, checks: [] });
    expect(outcomeSentence({ spec: aSpec(), state })).toBe('completed, verified');
  });

  it('names the last fault of an agent that failed in a row', () => {
    const outcome = { kind: 'halted', guard: 'faults-in-row', limit: 3, actual: 3 } as const;
    expect(
      outcomeSentence({
        spec: aSpec(),
        state: aState({ status: 'halted', outcome, lastTrouble: { code: 'turn-failed', detail: 'exit code 3' } }),
      }),
    ).toBe('halted: 3 agent faults in a row (3 allowed); the last one: exit code 3');
  });
});

describe('what a human has to do', () => {
  it('on a hard limit is the flag with a number that gives room', () => {
    const { limits } = aState();
    expect(raiseAdvice('iterations-max', limits, undefined)).toBe('--max-iterations 40');
    expect(raiseAdvice('duration-max', limits, undefined)).toBe('--max-duration 8h');
    expect(raiseAdvice('no-progress', limits, undefined)).toBeNull();
  });
});

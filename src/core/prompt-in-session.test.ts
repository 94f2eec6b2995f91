import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { Unmet } from './decision.ts';
import type { State } from './loop.ts';
import { promptOf, promptWithHistory } from './prompt.ts';

const failed = (name: string): Unmet => ({ kind: 'check', name, result: 'failed' });

/** The second iteration, after a decision that found this unmet. */
function later(unmet: readonly Unmet[], overrides: Partial<State> = {}): State {
  return aState({ counted: 1, plan: { ...aState().plan, unmet }, ...overrides });
}

describe('the prompt of a stop in a session', () => {
  const spec = aSpec({ driver: 'session', checks: [aCheck('npm test')], goal: 'Make it work.' });
  const refused = later([failed('npm test')], {
    claimed: 'DONE',
    checks: [aResult('npm test', 'failed', { tail: '1 test failed' })],
  });

  it('begins with one line for the user', () => {
    const [first] = promptOf(spec, refused).split('\n');
    expect(first).toBe('[tireless:2] DONE refused: "npm test" fails; continues with iteration 2 of 20.');
    const two = later([failed('a'), failed('b')]);
    expect(promptOf(spec, two)).toMatch(
      /^\[tireless:2\] 2 checks do not pass: "a", "b"; continues with iteration 2 of 20\.\n/u,
    );
    expect(promptOf(spec, later([{ kind: 'claim' }]))).toMatch(
      /^\[tireless:2\] the agent has not claimed to be done; /u,
    );
  });

  it('says where a claim was found that does not count', () => {
    const near = (why: 'not-alone' | 'no-tag') =>
      promptOf(spec, later([{ kind: 'claim', near: { text: 'DONE', why } }]));
    expect(near('not-alone')).toMatch(/^\[tireless:2\] DONE was found inside a sentence, not alone on a line; /u);
    expect(near('not-alone')).toContain(
      '`<promise>DONE</promise>` was found inside a sentence, so it does not count as your claim.',
    );
    expect(near('no-tag')).toMatch(/^\[tireless:2\] DONE has no tag around it; /u);
    expect(near('no-tag')).toContain('with `<promise>DONE</promise>` alone on a line');
  });

  it('says nothing of a hold-out in that line', () => {
    const hidden = aSpec({ driver: 'session', checks: [aCheck('secret', { holdout: true })] });
    expect(promptOf(hidden, later([failed('secret')]))).toMatch(/^\[tireless:2\] the work is not accepted yet; /u);
  });

  it('does not repeat what the conversation has, unless that may be lost', () => {
    const brief = { ...refused, plan: { ...refused.plan, brief: true as const } };
    expect(promptOf(spec, brief)).toContain('1 test failed');
    expect(promptOf(spec, brief)).not.toContain('Make it work.');
    expect(promptWithHistory(spec, brief)).toContain('Make it work.');
    // Handed over to an agent outside of the session, which has never seen it.
    expect(promptOf({ ...spec, driver: 'outer' }, brief)).toContain('Make it work.');
  });
});

describe('the first prompt of a loop', () => {
  it('shows how a check fails at the start', () => {
    const spec = aSpec({ checks: [aCheck('npm test'), aCheck('lint')] });
    const baseline = [
      aResult('npm test', 'failed', { tail: 'expected 3, got 4', exitCode: 1 }),
      aResult('lint', 'passed'),
    ];
    const prompt = promptOf(spec, aState({ baseline, checks: baseline }));
    expect(prompt).toContain('The check `npm test` fails with exit code 1. From its output:');
    expect(prompt).toContain('expected 3, got 4');
  });
});

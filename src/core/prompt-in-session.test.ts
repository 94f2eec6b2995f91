import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import { cleanText } from '../evidence/check-output.ts';
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

  it.each([
    ['node-test/tap-mixed-24.21.0.txt', ['not ok 4 - fails', 'mixed.test.js:4', 'expected: 2', 'actual: 1']],
    ['node-test/spec-mixed-24.21.0.txt', ['✖ fails', 'mixed.test.js:4', 'expected: 2', 'actual: 1']],
    ['vitest/mixed-4.1.12.err.txt', ['mixed.test.js > fails', 'expected 1 to be 2', ':4:33']],
    ['jest/verbose-30.5.2.err.txt', ['● fails', 'Expected: 2', 'Received: 1', 'mixed.test.js:3:33']],
    ['pytest/mixed-9.0.3.txt', ['test_fails', 'E   assert 1 == 2', 'test_mixed.py:3']],
    ['go/verbose-1.19.8.txt', ['--- FAIL: TestFails', 'b_test.go:3: no']],
    ['cargo/mixed-1.95.0.txt', ['tests/fails.rs:1:22', 'left: 1', 'right: 2']],
  ])('shows at most a dozen lines of the failing part of %s, because the user sees them too', (file, parts) => {
    const tail = cleanText(readFileSync(new URL(`../../test/fixtures/runners/${file}`, import.meta.url), 'utf8'));
    const long = later([failed('npm test')], { checks: [aResult('npm test', 'failed', { tail, exitCode: 1 })] });
    const [, block = ''] = promptOf(spec, long).split(/^```+$/mu);
    expect(block.trim().split('\n').length).toBeLessThanOrEqual(13);
    for (const part of parts) expect(block).toContain(part);
    expect(block).not.toMatch(/duration_ms|node:internal|^# tests/mu);
    expect(promptOf(spec, long)).toContain('From its output (run it to see the rest):');
    // Nobody sees the prompt of an agent outside of a session.
    expect(promptOf({ ...spec, driver: 'outer' }, long).length).toBeGreaterThan(promptOf(spec, long).length);
  });

  it('shares the lines between several checks', () => {
    const names = ['a', 'b', 'c', 'd'];
    const tail = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');
    const many = later(names.map(failed), { checks: names.map((name) => aResult(name, 'failed', { tail })) });
    expect(promptOf(spec, many).match(/^line \d+$/gmu)?.length).toBeLessThanOrEqual(24);
  });

  it('says of a hold-out only that it fails', () => {
    const hidden = aSpec({ driver: 'session', checks: [aCheck('secret', { holdout: true })] });
    expect(promptOf(hidden, later([failed('secret')]))).toMatch(/^\[tireless:2\] a hidden check fails; /u);
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

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../evidence/check-output.ts';
import { bytesOf } from '../quoting.ts';
import { failingLines, failingOutput } from './failing-part.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../test/fixtures');

function recorded(file: string): string {
  return cleanText(readFileSync(path.join(FIXTURES, file), 'utf8'));
}

/** What every excerpt of that output must show: which test, what was wrong, where. */
const SHOWN: readonly (readonly [string, readonly string[]])[] = [
  ['runners/node-test/spec-mixed-18.20.8.txt', ['✖ fails', '1 == 2', 'mixed.test.js:4', 'actual: 1', 'expected: 2']],
  ['runners/node-test/spec-mixed-20.20.2.txt', ['✖ fails', '1 == 2', 'mixed.test.js:4', 'actual: 1', 'expected: 2']],
  ['runners/node-test/spec-mixed-24.21.0.txt', ['✖ fails', '1 == 2', 'mixed.test.js:4', 'actual: 1', 'expected: 2']],
  ['runners/node-test/tap-mixed-18.20.8.txt', ['not ok 4 - fails', "error: '1 == 2'", 'mixed.test.js:4']],
  ['runners/node-test/tap-mixed-24.21.0.txt', ['not ok 4 - fails', "error: '1 == 2'", 'mixed.test.js:4']],
  ['outputs/node-spec-suites.txt', ['cart.test.js:7:5', '✖ adds up', '+   sum: 2', '-   sum: 3', '[2 more failures]']],
  [
    'outputs/node-tap-suites.txt',
    ['cart.test.js:7:5', 'not ok 1 - adds up', '+ actual - expected', '[2 more failures]'],
  ],
  ['outputs/node-crash.txt', ['ENOENT', 'crash.js:3:1']],
  ['runners/vitest/mixed-1.6.1.err.txt', ['mixed.test.js > fails', 'expected 1 to be 2', '- 2', '+ 1', ':4:33']],
  ['runners/vitest/mixed-4.1.12.err.txt', ['mixed.test.js > fails', 'expected 1 to be 2', '- 2', '+ 1', ':4:33']],
  ['runners/jest/mixed-29.7.0.err.txt', ['● fails', 'Expected: 2', 'Received: 1', 'mixed.test.js:3:33']],
  ['runners/jest/verbose-30.5.2.err.txt', ['● fails', 'Expected: 2', 'Received: 1', 'mixed.test.js:3:33']],
  ['runners/mocha/spec-mixed-11.8.0.txt', ['1) fails:', 'Error: no', 't/mixed.js:1:51']],
  ['runners/mocha/tap-mixed-10.8.2.txt', ['not ok 2 fails', 'Error: no', 't/mixed.js:1:51']],
  ['runners/pytest/mixed-9.0.3.txt', ['test_fails', 'E   assert 1 == 2', 'test_mixed.py:3']],
  ['runners/pytest/collection-error-9.0.3.txt', ['broken_test.py', "No module named 'collections_none'"]],
  ['outputs/pytest-long.txt', ['test_total', 'E       assert 11 == 10', 'test_x.py:14', '[1 more failure]']],
  ['outputs/pytest-no-traceback.txt', ['test_total - assert 11 == 10', 'test_other']],
  ['runners/unittest/mixed-3.11.7.err.txt', ['FAIL: test_b', 'AssertionError: 1 != 2', 'line 4']],
  ['runners/go/plain-1.19.8.txt', ['--- FAIL: TestFails', 'b_test.go:3: no']],
  ['runners/go/verbose-1.19.8.txt', ['--- FAIL: TestFails', 'b_test.go:3: no']],
  ['runners/go/exit-1.19.8.txt', ['--- FAIL: TestExits', 'panic: unexpected call to os.Exit(0)']],
  ['runners/cargo/mixed-1.95.0.txt', ['fails', 'tests/fails.rs:1:22', 'left: 1', 'right: 2']],
  [
    'outputs/cargo-compile.txt',
    ['mismatched types', 'src/lib.rs:1:34', 'expected `String`', 'cannot find function `missing`'],
  ],
  ['outputs/tsc-plain.txt', ['src/cart.ts(1,62): error TS2322', 'src/cart.ts(2,7)']],
  ['outputs/tsc-pretty.txt', ['src/cart.ts:1:62 - error TS2322', 'src/cart.ts:2:7']],
  ['outputs/eslint.txt', ['/tmp/project/src/cart.js', "3:14  error    'undefinedThing' is not defined"]],
  ['outputs/oxlint.txt', ['eslint(no-unused-vars)', 'src/cart.js:3:5', '[1 more failure]']],
  ['outputs/make-gcc.txt', ['bad.c:4:16: error:', 'missing']],
  ['outputs/make-plain.txt', ['three', 'make: *** [Makefile:3: test] Error 3']],
  ['runners/rspec/mixed-3.12.0.txt', ['mixed fails', 'expected: 2', 'got: 1', 'b_spec.rb:1']],
  ['runners/minitest/mixed-5.17.0.txt', ['b_mini.rb:3', 'Expected false to be truthy.']],
  ['runners/phpunit/mixed-9.6.7.txt', ['Failed asserting that false is true.', 'BTest.php:2']],
  ['runners/playwright/list-mixed-1.65.0.txt', ['mixed.spec.js:1:73 › fails', 'Expected: 2', 'Received: 1']],
];

/** What a runner prints about itself does not help anyone understand a failure. */
const NOISE = /node:internal|generatedMessage|duration_ms|\/rustc\/|^ℹ|Test Files|passed/m;

describe('the failing part of an output', () => {
  it.each(SHOWN)('shows what failed in %s', (file, parts) => {
    const lines = failingLines(recorded(file), 12);
    for (const part of parts) expect(lines.join('\n')).toContain(part);
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(lines.join('\n')).not.toMatch(file.includes('crash') ? /passed/ : NOISE);
  });

  it.each(SHOWN)('is the same when the journal holds only a part of %s', (file) => {
    const padded = `${'some progress\n'.repeat(500)}${recorded(file)}\n${'closing words\n'.repeat(500)}`;
    const kept = failingOutput(padded, 3400);
    expect(bytesOf(kept)).toBeLessThanOrEqual(3400);
    expect(kept).toMatch(/closing words\n?$/);
    expect(failingLines(kept, 9).slice(0, 5)).toEqual(failingLines(padded, 9).slice(0, 5));
  });

  it('leaves an output that fits as it is', () => {
    const text = 'a\n\n  b\n';
    expect(failingOutput(text, 100)).toBe(text);
  });

  it('keeps the end where nothing looks like a failure', () => {
    const kept = failingOutput(`${'fine\n'.repeat(1000)}the end`, 200);
    expect(kept).toMatch(/^\[\d+ bytes left out\]\n/);
    expect(kept).toMatch(/the end$/);
    expect(failingLines('fine\nall good\n', 10)).toEqual([]);
  });

  it('shows the lines around the first error and the end of an unknown output', () => {
    const text = `${'step\n'.repeat(50)}loading the plan\nError: no plan\n  in plan.cfg line 3\n${'step\n'.repeat(50)}gave up\n`;
    const lines = failingLines(text, 8);
    expect(lines.slice(0, 3)).toEqual(['loading the plan', 'Error: no plan', '  in plan.cfg line 3']);
    expect(lines).toContain('…');
    expect(lines.at(-1)).toBe('gave up');
    expect(lines.length).toBeLessThanOrEqual(8);
  });

  it('is not misled by counters without errors', () => {
    expect(failingLines('0 errors, 0 failures\nexit\n', 5)).toEqual([]);
  });

  it('says how many lines it left out, in the order of the output', () => {
    const kept = failingOutput(`${'step\n'.repeat(400)}Error: no plan\n${'step\n'.repeat(400)}gave up`, 400);
    expect(kept).toMatch(/^\[\d+ lines left out\]\nstep\nError: no plan\n/);
    expect(kept.match(/lines left out/g)).toHaveLength(2);
  });

  it.each([
    ['one endless line', 'Error '.repeat(1_000_000)],
    ['a hundred thousand failures', ' FAIL  a.test.js > b\nAssertionError: no\n'.repeat(100_000)],
    ['empty lines', '\n'.repeat(3_000_000)],
    ['spaces', `${' '.repeat(3_000_000)}\nError: x`],
    ['half of a surrogate pair', `Error: ${'\uD83D'.repeat(5000)}`],
  ])('stays cheap and bounded for %s', (_, text) => {
    const read = (): void => {
      expect(bytesOf(failingOutput(text, 3400))).toBeLessThanOrEqual(3400);
      expect(failingLines(text, 12).length).toBeLessThanOrEqual(12);
    };
    expect(cpuMsOf(read)).toBeLessThan(5000);
  });
});

import { describe, expect, it } from 'vitest';
import { aResult } from '../../../test/support/a-loop.ts';
import type { CheckResult } from '../../core/evidence.ts';
import { fitOf } from './room-fit.ts';

const failed = (over: Partial<CheckResult> = {}): CheckResult => ({
  ...aResult('unit', 'failed'),
  exitCode: 1,
  ...over,
});
const counts = (ran: number, fails: number): Pick<CheckResult, 'tests'> => ({
  tests: { ran, failed: fails, skipped: 0 },
});

describe('a check that fails in the project', () => {
  it.each<[string, CheckResult, CheckResult]>([
    ['fails there in the same way', failed(), failed()],
    ['fails there with as many tests', failed(counts(3, 1)), failed(counts(3, 1))],
    ['fails there with fewer failures', failed(counts(3, 1)), failed(counts(3, 2))],
    [
      'names an ignored file in both places',
      failed({ tail: 'no such file: dist/a.js' }),
      failed({ tail: 'dist/a.js is wrong' }),
    ],
    ['mentions an ignored name by the way', failed({ tail: 'dist/a.js: 3 is not 4' }), failed({ tail: '3 is not 4' })],
    ['misses something else', failed({ tail: "Cannot find module './cart.js'" }), failed({ tail: '' })],
    ['misses a file with a similar name', failed({ tail: 'ENOENT: /shop/redist/x' }), failed({ tail: '' })],
  ])('fits if it %s', (_, room, tree) => {
    expect(fitOf(room, tree, ['dist/', '.env'])).toMatchObject({ fit: true });
  });

  it.each<[string, CheckResult, CheckResult]>([
    ['fails there with more tests', failed(counts(3, 2)), failed(counts(3, 1))],
    ['runs fewer tests there', failed(counts(1, 1)), failed(counts(3, 1))],
    ['ends there with another code', failed({ exitCode: 2 }), failed()],
    ['misses an ignored folder', failed({ tail: "Cannot find module '/shop/dist/a.js'" }), failed({ tail: '-1 == 5' })],
    ['misses an ignored file', failed({ tail: 'sh: .env: No such file or directory' }), failed({ tail: '-1 == 5' })],
    ['misses the repository', failed({ tail: 'fatal: not a git repository' }), failed({ tail: '-1 == 5' })],
  ])('does not fit if it %s', (_, room, tree) => {
    expect(fitOf(room, tree, ['dist/', '.env'])).toMatchObject({ fit: false, result: 'failed' });
  });
});

import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';
import { RUNNERS } from './runners.ts';

// Runs of one kind are added up by the name of their runner, so no two may share one.
it('the runners are these, and some print where they begin', () => {
  expect(RUNNERS.map(({ name }) => name)).toEqual([
    'ava',
    'bats',
    'bun',
    'cargo',
    'ctest',
    'cypress',
    'deno',
    'dotnet',
    'go',
    'gradle',
    'jest',
    'maven',
    'minitest',
    'mocha',
    'nextest',
    'node-tap',
    'node:test',
    'phpunit',
    'playwright',
    'prove',
    'pytest',
    'rspec',
    'swift',
    'tap',
    'unittest',
    'vitest',
  ]);
});

it('a run of ctest that began and never closed is not added to another one', () => {
  const begins = 'Test project /shop/build\n';
  const closes = '100% tests passed, 0 tests failed out of 3\n';
  const count = (stdout: string) => countTests({ stdout, stderr: '' });
  expect(count(begins + closes + begins + closes)).toEqual({ ran: 6, failed: 0, skipped: 0 });
  expect(count(begins + closes + begins)).toEqual({ ran: 3, failed: 0, skipped: 0 });
  expect(count(begins + begins + closes + begins + closes)).toEqual({ ran: 3, failed: 0, skipped: 0 });
});

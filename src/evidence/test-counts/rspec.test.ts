import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';

it('rspec counts one example as it counts many', () => {
  const output = (last: string): { stdout: string; stderr: string } => ({
    stdout: `.\n\nFinished in 0.001 seconds (files took 0.05 seconds to load)\n${last}\n\n`,
    stderr: '',
  });
  expect(countTests(output('1 example, 0 failures'))).toEqual({ ran: 1, failed: 0, skipped: 0 });
  expect(countTests(output('3 examples, 1 failure, 1 pending'))).toEqual({ ran: 2, failed: 1, skipped: 1 });
});

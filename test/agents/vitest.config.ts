import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  root,
  define: { __TIRELESS_VERSION__: JSON.stringify('0.0.0-test'), __STATE_STAMP__: JSON.stringify('test') },
  test: {
    name: 'agents',
    include: ['test/agents/*.test.ts', 'test/agents/hosts/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // Clients wait for their timers much of the time: three at once keep two cores busy.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // With a real client on a shared machine, a test may run twice, and the report shows which did; never locally.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});

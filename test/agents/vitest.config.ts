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
    // Clients are heavy: two at a time keep two cores busy.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A real client on a shared machine: asked twice there, and the report says which; never at home.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});

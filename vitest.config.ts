import { configDefaults, defineConfig } from 'vitest/config';

const everyday = [
  'src/**/*.test.ts',
  'test/{tidy,scenarios,docs,dialects,golden}/**/*.test.ts',
  'test/agents/support/**/*.test.ts',
  'test/contracts/stores.test.ts',
  'test/{simulation,crash,e2e,contracts}/**/*.everyday.test.ts',
];

const exclude = [...configDefaults.exclude, 'test/tidy/fixtures/**'];

export default defineConfig({
  define: { __TIRELESS_VERSION__: JSON.stringify('0.0.0-test'), __STATE_STAMP__: JSON.stringify('test') },
  test: {
    globalSetup: ['test/support/build-once.ts'],
    // Most tests wait for processes: the default of one worker less than cores would leave half of a small machine idle.
    maxWorkers: 3,
    // Real processes on a shared machine: asked twice there, as our own checks are, and the report says which; never at home.
    retry: process.env['CI'] === undefined ? 0 : 1,
    exclude,
    projects: [
      // Not each file in a process of its own: a quarter of the time would go into loading the same modules again.
      {
        extends: true,
        test: {
          name: 'everyday',
          include: everyday,
          exclude: [...exclude, '**/*.long.test.ts'],
          testTimeout: 30_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          testTimeout: 600_000,
        },
      },
    ],
  },
});

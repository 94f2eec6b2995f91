// @ts-check
/**
 * One warm Vitest in this process for many runs: the everyday tests that run our code inside the test process, with one more plugin. A
 * source is changed while the file is loaded, so nothing on disk changes and nothing is rebuilt.
 */
import path from 'node:path';
import { loadConfigFromFile } from 'vite';
import { createVitest } from 'vitest/node';

/** The tests nearest to the proving code. Most others start programs that were built before, which a change of a loaded file does not reach. */
const NEAR_TESTS = [
  'src/{core,stores,evidence,engine,runner,hook,views}/**/*.test.ts',
  'src/{facades,cli}/**/*.test.ts',
  'test/{scenarios,golden,dialects}/**/*.test.ts',
  'test/contracts/{stores,guards.everyday,dialects.everyday,dialect-files.everyday}.test.ts',
];

/** @typedef {{ readonly isolate: boolean, readonly setupFiles: readonly string[], readonly reporter: object, readonly transform: (code: string, file: string) => string | null }} Setup */

/** @param {string} root @param {Setup} setup */
export async function vitestOf(root, { isolate, setupFiles, reporter, transform }) {
  const loaded = await loadConfigFromFile(
    { command: 'serve', mode: 'test' },
    path.join(root, 'vitest.config.ts'),
    root,
  );
  /** @type {any} */
  const config = loaded?.config ?? {};
  const everyday = config.test.projects.find((/** @type {any} */ project) => project.test.name === 'everyday').test;
  return createVitest(
    'test',
    {
      root,
      config: false,
      watch: false,
      include: NEAR_TESTS,
      exclude: config.test.exclude,
      testTimeout: everyday.testTimeout,
      globalSetup: config.test.globalSetup,
      setupFiles: [...setupFiles],
      isolate,
      pool: 'forks',
      maxWorkers: isolate ? 2 : 1,
      cache: false,
      reporters: [reporter],
      sequence: { sequencer: AsGiven },
    },
    {
      define: config.define,
      server: { watch: null },
      plugins: [
        {
          name: 'tireless-mutants',
          enforce: 'pre',
          transform(code, id) {
            const made = transform(code, path.relative(root, id).replaceAll('\\', '/'));
            return made === null ? null : { code: made, map: null };
          },
        },
      ],
    },
  );
}

/** We set the order of the files: the nearest and the quickest first. */
class AsGiven {
  /** @param {any} files */
  async sort(files) {
    return files;
  }

  /** @param {any} files */
  async shard(files) {
    return files;
  }
}

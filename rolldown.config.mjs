// @ts-check
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

export default defineConfig({
  input: { index: 'src/index.ts', core: 'src/core/index.ts', cli: 'src/entries/cli.ts' },
  platform: 'node',
  external: [/^node:/, /^zod/],
  transform: { define: { __TIRELESS_VERSION__: JSON.stringify(version) } },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    // A file costs about a millisecond to load, a hundred unused lines much less: few chunks, cut where commands differ.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: 'drive',
          test: /src[\\/](evidence|runner|engine)[\\/]|src[\\/]system[\\/](spawn|supervise|kill|watchdog|match-within|process-search)/,
        },
        { name: 'base', test: /src[\\/](core|views|stores|system|cli[\\/](?!config-schema)[^\\/]+$)/ },
      ],
    },
  },
});

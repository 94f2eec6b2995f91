// @ts-check
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** What both builds share. */
const common = /** @type {const} */ ({
  platform: 'node',
  logLevel: 'warn',
  external: [/^node:/, /^zod/],
  // The other entry of jsonc-parser is UMD, which cannot be bundled.
  resolve: { mainFields: ['module', 'main'] },
  transform: { define: { __TIRELESS_VERSION__: JSON.stringify(version) } },
});

const product = defineConfig({
  ...common,
  input: {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    cli: 'src/entries/cli.ts',
    athena: 'src/facades/athena/index.ts',
    'loop-mechanics': 'src/facades/loop-mechanics/index.ts',
    supercode: 'src/facades/supercode/index.ts',
    stravinsky: 'src/facades/stravinsky/index.ts',
    'ralph-wiggum': 'src/facades/ralph-wiggum/index.ts',
  },
  // What groups of chunks ask for; said here, or every build warns.
  preserveEntrySignatures: 'allow-extension',
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
        // Only who reads a foreign state file pays for these.
        { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
        {
          name: 'hook',
          test: /src[\\/](hosts[\\/]|cli[\\/](hook-[^\\/]+|commands[\\/]hook)\.ts$)/,
        },
        {
          name: 'drive',
          test: /src[\\/](evidence|runner|engine)[\\/]|src[\\/]system[\\/](spawn|supervise|kill|watchdog|match-within|process-search)/,
        },
        {
          name: 'base',
          test: /src[\\/](core|views|stores|system|dialects[\\/](dialect|names)\.ts$|cli[\\/](?!config-schema)[^\\/]+$)/,
        },
      ],
    },
  },
});

/** A `stop.js` says `module.exports = require('tireless/ralph-wiggum')`: this one is CommonJS, in one file, and it is the function. */
const commonJs = defineConfig({
  ...common,
  input: { 'ralph-wiggum': 'src/facades/ralph-wiggum/cjs.ts' },
  plugins: [
    {
      name: 'types-of-the-function',
      generateBundle() {
        const source = [
          "type Module = typeof import('./types/facades/ralph-wiggum/cjs.js', { with: { 'resolution-mode': 'import' } });",
          "declare const hook: Module['default'];",
          'export = hook;',
          '',
        ].join('\n');
        this.emitFile({ type: 'asset', fileName: 'ralph-wiggum.d.cts', source });
      },
    },
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'default',
    entryFileNames: '[name].cjs',
    codeSplitting: false,
  },
});

export default [product, commonJs];

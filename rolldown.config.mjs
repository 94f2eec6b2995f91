// @ts-check
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { CHUNK_GROUPS } from './tools/bundle/chunk-groups.mjs';
import { hookFiles } from './tools/bundle/hook-files.mjs';
import { typesOfFunction } from './tools/bundle/types-of-function.mjs';
import { stateStamp } from './tools/state-stamp.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** What every bundle shares. */
const common = /** @type {const} */ ({
  platform: 'node',
  logLevel: 'warn',
  external: [/^node:/, /^zod(?:\/|$)/],
  // The other entry of jsonc-parser is UMD, which cannot be bundled.
  resolve: { mainFields: ['module', 'main'] },
  transform: {
    define: { __TIRELESS_VERSION__: JSON.stringify(version), __STATE_STAMP__: JSON.stringify(stateStamp()) },
  },
});

/** The code of a dialect is a chunk with the name of its folder: the file is called the same in all of them. */
const chunkName = (/** @type {{ name: string, facadeModuleId: string | null }} */ { name, facadeModuleId }) =>
  /src[\\/]dialects[\\/]([^\\/]+)[\\/]/.exec(facadeModuleId ?? '')?.[1] ?? name;

const product = defineConfig({
  ...common,
  input: {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    cli: 'src/entries/cli.ts',
    'hook-full': 'src/entries/hook-full.ts',
    'check-job': 'src/entries/check-job.ts',
    'approval-watch': 'src/entries/approval-watch.ts',
    athena: 'src/facades/athena/index.ts',
    'loop-mechanics': 'src/facades/loop-mechanics/index.ts',
    supercode: 'src/facades/supercode/index.ts',
    stravinsky: 'src/facades/stravinsky/index.ts',
    'ralph-wiggum': 'src/facades/ralph-wiggum/index.ts',
  },
  // Groups of chunks require it; without this line every build warns.
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: (chunk) => `chunks/${chunkName(chunk)}-[hash].js`,
    cleanDir: true,
    codeSplitting: { includeDependenciesRecursively: false, groups: CHUNK_GROUPS },
  },
});

/** A `stop.js` contains `module.exports = require('tireless/ralph-wiggum')`: CommonJS in one file, whose export is the function. */
const commonJs = defineConfig({
  ...common,
  input: { 'ralph-wiggum': 'src/facades/ralph-wiggum/cjs.ts' },
  plugins: [typesOfFunction('ralph-wiggum')],
  output: { dir: 'dist', format: 'cjs', exports: 'default', entryFileNames: '[name].cjs', codeSplitting: false },
});

export default [product, commonJs, ...hookFiles(import.meta.dirname, common)];

// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** The code of a dialect is a chunk with the name of its folder: the file is called the same in all of them. */
const chunkName = (/** @type {{ name: string, facadeModuleId: string | null }} */ { name, facadeModuleId }) =>
  /src[\\/]dialects[\\/]([^\\/]+)[\\/]/.exec(facadeModuleId ?? '')?.[1] ?? name;

const product = defineConfig({
  ...common,
  input: {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    cli: 'src/entries/cli.ts',
    'hook-more': 'src/entries/hook-more.ts',
    'check-job': 'src/entries/check-job.ts',
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
    chunkFileNames: (chunk) => `chunks/${chunkName(chunk)}-[hash].js`,
    cleanDir: true,
    // A file costs about a millisecond to load, a hundred unused lines much less: few chunks, cut where commands differ.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        // Only who reads a foreign state file pays for these.
        { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
        // Only who sets up a host pays for this.
        {
          name: 'install',
          test: /node_modules[\\/]smol-toml[\\/]|src[\\/](setup[\\/]settings[\\/]|cli[\\/]commands[\\/](un)?install\.ts$)/,
        },
        {
          name: 'hook',
          // With what a slash command needs; none of it is ever asked for by the chunks below.
          test: /src[\\/](hook[\\/]|cli[\\/](arm-loop|(start|typed)-args|commands[\\/](hook|other-session))\.ts$)/,
        },
        // Only the doctor asks it.
        { name: 'fake-model', test: /src[\\/]runner[\\/]fake-model[\\/]/ },
        {
          name: 'drive',
          test: /src[\\/](evidence|runner|engine)[\\/]|src[\\/]system[\\/](spawn|supervise|kill|watchdog|match-within|process-search|run-program)/,
        },
        {
          name: 'base',
          test: /src[\\/](core|views|stores|system|terminal|hosts[\\/]|dialects[\\/](dialect|names|registry|[^\\/]+[\\/]descriptor)\.ts$|cli[\\/](?!config-schema|start-dialect|armed-lines)[^\\/]+$)/,
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

/** What a stop seldom needs: these files are loaded when it does. Modules that export functions only. */
const SELDOM = {
  'hook-look': ['src/evidence/quick-probe.ts'],
  'hook-rare': [
    'src/hook/notices.ts',
    'src/stores/deflate-entry.ts',
    'src/stores/journal-faults.ts',
    'src/stores/write-blob.ts',
    'src/system/kept-code.ts',
    'src/system/run-tool.ts',
    'src/system/store-fault.ts',
  ],
};

/** Built-in modules that cost a bare Node several percent each. @type {Record<string, readonly string[]>} */
const COSTLY = { 'node:os': ['homedir', 'uptime'], 'node:child_process': ['spawnSync'] };

/** All that a stop needs of a host; the rest of `host.ts` is for people, and for who installs. */
const HOST_FILE = /src[\\/]hosts[\\/]([^\\/]+)[\\/]host\.ts$/;
const hostInHook = (/** @type {string} */ id) =>
  `import { decode } from './decode.ts'; import { encode } from './encode.ts'; export const host = { id: '${id}', decode, encode };`;

const doorTo = (/** @type {string} */ file, /** @type {readonly string[]} */ names) =>
  names.map((name) => `export const ${name} = (...given) => require('${file}').${name}(...given);`).join('\n');

/** A module is loaded at the first call of one of its functions. @param {readonly string[]} own what this bundle itself is made of */
const whenCalled = (own) => ({
  name: 'when-called',
  /** @param {string} source @param {string | undefined} importer */
  resolveId(source, importer) {
    if (source.endsWith('.cjs')) return { id: source, external: true };
    if (source === './hook-more.ts') return { id: './hook-more.js', external: true };
    if (source in COSTLY)
      return importer?.startsWith('\0door:') === true ? { id: source, external: true } : `\0door:${source}`;
    // The default export alone: what stands in for all of a module's exports is made anew at every start.
    if (source === 'node:path') return importer === '\0path' ? { id: source, external: true } : '\0path';
    // Hashes and names without loading OpenSSL.
    if (source === 'node:crypto') return fileURLToPath(new URL('src/system/sha256.ts', import.meta.url));
    if (importer === undefined || !source.startsWith('.')) return null;
    const file = path.relative(import.meta.dirname, path.resolve(path.dirname(importer), source)).replaceAll('\\', '/');
    const [bundle] = Object.entries(SELDOM).find(([, files]) => files.includes(file)) ?? [];
    return bundle === undefined || own.includes(bundle) ? null : `\0door:${bundle}:${file}`;
  },
  /** @param {string} id */
  load(id) {
    if (id === '\0path') return "export default require('node:path');";
    const host = HOST_FILE.exec(id)?.[1];
    if (host !== undefined) return hostInHook(host);
    if (!id.startsWith('\0door:')) return null;
    const [bundle = '', file] = id.slice('\0door:'.length).split(/:(?=src)/u);
    if (file === undefined) return doorTo(bundle, COSTLY[bundle] ?? []);
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    const names = [...text.matchAll(/^export (?:function|const) (\w+)(?:\(|<|: RunTool)/gmu)].map(
      ([, name = '']) => name,
    );
    if (names.length === 0) throw new Error(`${file} has no function to make a door for`);
    return doorTo(`./${bundle}.cjs`, names);
  },
});

/** What the small file in front of it has to know of `hook-main.cjs`, which is made first. */
let made = { hash: '', bytes: 0 };

const knowsMain = {
  name: 'knows-main',
  /** @param {string} code */
  renderChunk: (code) =>
    code.replaceAll('HOOK_MAIN_HASH', JSON.stringify(made.hash)).replaceAll('HOOK_MAIN_BYTES', String(made.bytes)),
};

/** A function, in plain letters, so that it is neither decoded nor copied. */
const asFunction = {
  name: 'as-function',
  /** @param {unknown} _options @param {Record<string, any>} bundle */
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const plain = chunk.code.replace(/[^\0-\x7f]/gu, (/** @type {string} */ sign) =>
        Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
          '',
        ),
      );
      chunk.code = `(function(exports,require){${plain}\n})`;
      made = { hash: createHash('sha256').update(chunk.code).digest('hex').slice(0, 16), bytes: chunk.code.length };
    }
  },
};

/** @type {Record<string, readonly object[]>} */
const MORE = { 'hook-main': [asFunction], hook: [knowsMain] };

/** One small file of CommonJS that needs nothing else. @param {string} name @param {string} input */
const hookFile = (name, input) =>
  defineConfig({
    ...common,
    input: { [name]: input },
    external: [/^node:(?!crypto$|os$|path$|child_process$)/],
    plugins: [whenCalled([name]), ...(MORE[name] ?? [])],
    treeshake: { moduleSideEffects: false },
    output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, minify: true },
  });

/** What the guard of a stop hook starts. Every stop of an armed session pays for loading it. */
const hook = [
  hookFile('hook-main', 'src/entries/hook-main.ts'),
  hookFile('hook', 'src/entries/hook.ts'),
  hookFile('hook-look', 'src/evidence/quick-probe.ts'),
  hookFile('hook-rare', 'src/entries/hook-rare.ts'),
];

export default [product, commonJs, ...hook];

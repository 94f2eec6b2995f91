// @ts-check
import { createHash } from 'node:crypto';
import { COLD_ENTRY } from './cold-modules.mjs';
import { loadOnCall } from './load-on-call.mjs';

/**
 * The files that the guard of a stop hook starts; every stop of an armed session pays for loading them. Each is one small file of CommonJS.
 * The loader is built last, because it contains the hash of the fast file.
 *
 * @param {string} root @param {Record<string, any>} common what every bundle shares
 */
export function hookFiles(root, common) {
  const fast = { hash: '', bytes: 0 };
  /** @param {string} name @param {string} input @param {readonly object[]} [plugins] */
  const file = (name, input, plugins = []) => ({
    ...common,
    input: { [name]: input },
    external: [/^node:(?!crypto$|os$|path$|child_process$)/],
    plugins: [loadOnCall({ root, isCold: input === COLD_ENTRY }), ...plugins],
    treeshake: { moduleSideEffects: false },
    output: {
      dir: 'dist',
      format: /** @type {const} */ ('cjs'),
      entryFileNames: '[name].cjs',
      codeSplitting: false,
      minify: true,
    },
  });
  return [
    file('hook-fast', 'src/entries/hook-fast.ts', [asFunction(fast)]),
    // Settings and plugins of users name this file.
    file('hook', 'src/entries/hook-loader.ts', [withHashOf(fast)]),
    file('hook-cold', COLD_ENTRY),
  ];
}

/**
 * Makes the file one function in ASCII, which V8 neither decodes nor copies, and records the result.
 * @param {{ hash: string, bytes: number }} made
 */
const asFunction = (made) => ({
  name: 'as-function',
  /** @param {unknown} _options @param {Record<string, any>} bundle */
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code = `(function(exports,require){${inAscii(chunk.code)}\n})`;
      made.hash = createHash('sha256').update(chunk.code).digest('hex').slice(0, 16);
      made.bytes = chunk.code.length;
    }
  },
});

/** @param {string} code */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escapedUnit(sign, at)).join(''),
  );
}

/** @param {string} sign @param {number} at */
function escapedUnit(sign, at) {
  return `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

/** @param {Readonly<{ hash: string, bytes: number }>} made */
const withHashOf = (made) => ({
  name: 'with-hash',
  /** @param {string} code */
  renderChunk: (code) =>
    code.replaceAll('HOOK_FAST_HASH', JSON.stringify(made.hash)).replaceAll('HOOK_FAST_BYTES', String(made.bytes)),
});

// @ts-check
import path from 'node:path';
import { coldModules, exportedFunctions } from './cold-modules.mjs';

/** Functions of built-in modules that cost a bare Node several percent each. @type {Readonly<Record<string, readonly string[]>>} */
const COSTLY_BUILTINS = { 'node:os': ['homedir', 'uptime'], 'node:child_process': ['spawnSync'] };

/** Everything a stop needs of a host; the rest of `host.ts` is for people and for `install`. */
const HOST_FILE = /src[\\/]hosts[\\/]([^\\/]+)[\\/]host\.ts$/;
const hostInHook = (/** @type {string} */ id) =>
  `import { decode } from './decode.ts'; import { encode } from './encode.ts'; export const host = { id: '${id}', decode, encode };`;

/** A descriptor loads the code of its dialect. `hook-full.js` handles a stop in a state file, so these files contain none of that code. */
const DESCRIPTOR_FILE = /src[\\/]dialects[\\/][^\\/]+[\\/]descriptor\.ts$/;
const NO_DIALECT = '\0no-dialect';

const STUB = '\0stub:';

/** Code that loads `file` at the first call of one of these functions. @param {string} file @param {readonly string[]} names */
const stubOf = (file, names) =>
  names.map((name) => `export const ${name} = (...given) => require('${file}').${name}(...given);`).join('\n');

/**
 * For the files of the hook: a cold module and a costly built-in are loaded at the first call of one of their functions.
 * Options: `root` of the repository, `isCold` for the bundle of the cold modules themselves.
 *
 * @param {{ readonly root: string, readonly isCold: boolean }} options
 */
export const loadOnCall = ({ root, isCold }) => ({
  name: 'load-on-call',
  /** @param {string} source @param {string | undefined} importer */
  resolveId(source, importer) {
    if (source.endsWith('.cjs')) return { id: source, external: true };
    if (source === './hook-full.ts') return { id: './hook-full.js', external: true };
    if (source in COSTLY_BUILTINS)
      return importer?.startsWith(STUB) === true ? { id: source, external: true } : `${STUB}${source}`;
    // Only the default export: an object with all exports of the module would be created at every start.
    if (source === 'node:path') return importer === '\0path' ? { id: source, external: true } : '\0path';
    // Hashes and random names without loading OpenSSL (9.5 ms).
    if (source === 'node:crypto') return path.join(root, 'src/system/sha256.ts');
    if (source === './dialect.ts' && DESCRIPTOR_FILE.test(importer ?? '')) return NO_DIALECT;
    if (isCold || importer === undefined || !source.startsWith('.')) return null;
    const file = path.relative(root, path.resolve(path.dirname(importer), source)).replaceAll('\\', '/');
    return coldModules(root).includes(file) ? `${STUB}${file}` : null;
  },
  /** @param {string} id */
  load(id) {
    if (id === '\0path') return "export default require('node:path');";
    if (id === NO_DIALECT) return "throw new Error('the code of dialects is in hook-full.js');";
    const host = HOST_FILE.exec(id)?.[1];
    if (host !== undefined) return hostInHook(host);
    if (!id.startsWith(STUB)) return null;
    const name = id.slice(STUB.length);
    const builtin = COSTLY_BUILTINS[name];
    return builtin === undefined
      ? stubOf('./hook-cold.cjs', exportedFunctions(path.join(root, name)))
      : stubOf(name, builtin);
  },
});

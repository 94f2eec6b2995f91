// @ts-check
/**
 * `node tools/signatures.mjs [--write]`: the signatures of `runLoop` and of the five facades, from the declarations in dist/types, in
 * docs/library.md. Without `--write` it exits 1 if the page is out of date. Build first: `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = path.join(ROOT, 'docs/library.md');
const TYPES = path.join(ROOT, 'dist/types');

/** Every facade, in the order of the package's exports; and the part of the root that docs/library.md begins with. */
const FACADES = ['athena', 'loop-mechanics', 'supercode', 'stravinsky', 'ralph-wiggum'];
const RUN_LOOP = ['runLoop', 'RunLoopOptions', 'LoopAgent', 'AgentFunction', 'AgentCall', 'AgentAnswer'];
const SIGNATURE_CHARS_MAX = 100;

/** @param {string} file @returns {readonly { readonly name: string, readonly file: string }[]} */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8');
  const forwarded = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)].flatMap(([, names, from]) =>
    (names ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, file: path.join(path.dirname(file), (from ?? '').replace(/\.ts$/, '.d.ts')) })),
  );
  const own = [...text.matchAll(/^export (?:declare )?(?:type|const|function|interface) (\w+)/gm)];
  return [...forwarded, ...own.map(([, name = '']) => ({ name, file }))];
}

/** Where the names in an `export type { X }` without a `from` come from. @param {string} text @param {string} file */
function importsOf(text, file) {
  return [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm)].flatMap(([, names, from]) =>
    (names ?? '').split(',').map((name) => ({
      name: name.trim(),
      file: path.join(path.dirname(file), (from ?? '').replace(/\.ts$/, '.d.ts')),
    })),
  );
}

/** The declaration without its comments; it ends where the next one begins. @param {string} name @param {string} file @returns {string} */
function signatureOf(name, file) {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*\*[^]*?\*\//g, '');
  const found = new RegExp(
    String.raw`^export (?:declare )?((?:type|const|function|interface) ${name}\b[^]*?)(?=^export |^import |^declare |^type |^interface |(?![^]))`,
    'm',
  ).exec(text);
  const elsewhere = [...exportsOf(file), ...importsOf(text, file)].find(
    (one) => one.name === name && one.file !== file,
  );
  if (found === null && elsewhere !== undefined) return signatureOf(name, elsewhere.file);
  if (found === null) throw new Error(`Cannot find ${name} in ${path.relative(ROOT, file)}.`);
  const signature = (found[1] ?? '').replaceAll(/^\s*\n/gm, '').trim();
  return signature.startsWith('const ') ? `declare ${shortened(signature)}` : signature;
}

/** A long text is replaced by its type. @param {string} signature */
function shortened(signature) {
  return signature.length > SIGNATURE_CHARS_MAX ? signature.replace(/ = "[^]*/, ': string;') : signature;
}

/** Functions first, then constants, then the types they use. @param {string} signature */
function rank(signature) {
  return signature.startsWith('function') ? 0 : signature.startsWith('declare') ? 1 : 2;
}

/** @param {string} file @param {readonly string[]} [only] */
function block(file, only) {
  const signatures = exportsOf(file)
    .filter(({ name }) => only === undefined || only.includes(name))
    .map((one) => signatureOf(one.name, one.file))
    .toSorted((a, b) => rank(a) - rank(b));
  if (signatures.length === 0) throw new Error(`${path.relative(ROOT, file)} exports nothing.`);
  return ['```ts', ...signatures, '```'].join('\n');
}

function reference() {
  const facades = FACADES.map(
    (name) =>
      `### tireless/${name}\n\n[Its page](dialects/${name}.md).\n\n${block(path.join(TYPES, 'facades', name, 'index.d.ts'))}`,
  );
  return [`### runLoop\n\n${block(path.join(TYPES, 'index.d.ts'), RUN_LOOP)}`, ...facades].join('\n\n');
}

if (!existsSync(TYPES)) throw new Error('There is no dist/types. Run "npm run build" first.');
const page = readFileSync(PAGE, 'utf8');
const marks = /(<!-- signatures -->\n)[^]*(\n<!-- end of signatures -->)/;
if (!marks.test(page)) throw new Error('docs/library.md has no place for the signatures.');
const written = execFileSync(path.join(ROOT, 'node_modules/.bin/oxfmt'), ['--stdin-filepath=docs/library.md'], {
  cwd: ROOT,
  encoding: 'utf8',
  input: page.replace(marks, (_, before, after) => `${before}\n${reference()}\n${after}`),
});
if (process.argv.includes('--write')) writeFileSync(PAGE, written);
else if (written !== page) {
  console.error('docs/library.md is out of date: run "npm run build && node tools/signatures.mjs --write".');
  process.exitCode = 1;
}

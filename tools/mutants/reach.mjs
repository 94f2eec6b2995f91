// @ts-check
/**
 * Which test files reach which code, and how long they take. Learned once and kept beside the dependencies: a test file runs again if it
 * changed, and all of them run again if a source or a shared part of the tests changed.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ readonly hash: string, readonly ms: number, readonly reached: readonly string[], readonly unstable: readonly string[] }} Reach */
/** @typedef {{ readonly sources: string, readonly tests: Readonly<Record<string, Reach>> }} Map */

/** @param {{ readonly root: string, readonly copy: string, readonly folder: string, readonly environment: NodeJS.ProcessEnv }} place @returns {Promise<Readonly<Record<string, Reach>>>} */
export async function reachOf({ root, copy, folder, environment }) {
  const kept = path.join(root, 'node_modules/.cache/tireless-mutants/reach.json');
  const sources = hashOf(
    copy,
    filesIn(copy, ['src', 'test']).filter((file) => !file.endsWith('.test.ts')),
  );
  const tests = filesIn(copy, ['src', 'test']).filter((file) => file.endsWith('.test.ts'));
  const before = read(kept);
  const known = before?.sources === sources ? before.tests : {};
  const wanted = tests.filter((file) => known[file]?.hash !== hashOf(copy, [file]));
  if (wanted.length === 0) return known;
  const learned = await learn({ copy, folder, environment }, wanted);
  const made = Object.fromEntries(
    tests.flatMap((file) => {
      const hash = hashOf(copy, [file]);
      const found = wanted.includes(file) ? (learned[file] ?? { ms: 0, reached: [], unstable: [] }) : known[file];
      return found === undefined ? [] : [[file, { ...found, hash }]];
    }),
  );
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify({ sources, tests: made }));
  return made;
}

/** A test that fails without any planted bug proves nothing, so its failures are not counted. @param {{ readonly copy: string, readonly folder: string, readonly environment: NodeJS.ProcessEnv }} place @param {readonly string[]} wanted */
async function learn({ copy, folder, environment }, wanted) {
  const marks = path.join(folder, 'marks');
  rmSync(marks, { recursive: true, force: true });
  mkdirSync(marks);
  const program = fileURLToPath(new URL('learn-reach.mjs', import.meta.url));
  const child = fork(program, [copy, marks, ...wanted], {
    cwd: copy,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  /** @type {readonly { readonly file: string, readonly test: string | null }[]} */
  let failed = [];
  child.on('message', (/** @type {any} */ message) => (failed = message.failed));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`the run that learns what tests reach ended with ${code}`);
  for (const { file, test } of failed)
    console.error(`left out, it fails as it is: ${file}: ${test ?? 'the whole file'}`);
  /** @type {Record<string, { ms: number, reached: string[], unstable: string[] }>} */
  const made = {};
  for (const name of readdirSync(marks)) {
    const { file, ms, reached } = JSON.parse(readFileSync(path.join(marks, name), 'utf8'));
    const relative = path.relative(copy, file).replaceAll('\\', '/');
    const own = failed.filter((one) => one.file === relative).map(({ test }) => test);
    if (!own.includes(null)) made[relative] = { ms, reached, unstable: own.filter((test) => test !== null) };
  }
  return made;
}

/** @param {string} file @returns {Map | null} */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** @param {string} root @param {readonly string[]} folders @returns {readonly string[]} */
function filesIn(root, folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
    )
    .toSorted();
}

/** @param {string} root @param {readonly string[]} files */
function hashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

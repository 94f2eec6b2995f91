// @ts-check
/** Which of all possible mutants are planted: the same for the same seed, spread over the files by their length. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { mutantsOf, namedMutant, parses } from './plant.mjs';

/** @typedef {import('./plant.mjs').Mutant} Mutant */

const FOLDERS = ['core', 'stores', 'evidence', 'engine'];
/** Tables and sentences: data that the cheats in test/cheats and the tests of tables cover. */
const DATA_ONLY = [/^src\/evidence\/judge\/ecosystems\//u, /^src\/core\/loop-templates\.ts$/u, /^src\/core\/prompt/u];

/** Paths from the root, sorted. @param {string} root @returns {readonly string[]} */
export function sourceFiles(root) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `src/${folder}/${name.replaceAll('\\', '/')}`),
  ).toSorted();
}

/**
 * At least one for every file that has any.
 * @param {string} root
 * @param {{ readonly count: number, readonly seed: string }} options
 * @returns {readonly Mutant[]}
 */
export function chooseMutants(root, { count, seed }) {
  const files = sourceFiles(root)
    .filter((file) => !DATA_ONLY.some((pattern) => pattern.test(file)))
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return { mutants: mutantsOf(file, text), text, lines: text.split('\n').length };
    })
    .filter(({ mutants }) => mutants.length > 0);
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return files.flatMap((file) => pick(file, Math.max(1, Math.round((count * file.lines) / lines)), seed));
}

/** Bugs that once survived are planted in every run. `tests`: set if the file is not among those whose reach is learned. @param {string} root */
export function namedMutants(root) {
  /** @type {readonly import('./plant.mjs').Named[]} */
  const named = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'));
  return named.map((one) => ({
    mutant: namedMutant(one, readFileSync(path.join(root, one.file), 'utf8')),
    tests: one.tests,
  }));
}

/**
 * One of each kind in turn, so that the most frequent kind does not take every place.
 * @param {{ readonly mutants: readonly Mutant[], readonly text: string }} file
 * @param {number} count
 * @param {string} seed
 * @returns {readonly Mutant[]}
 */
function pick({ mutants, text }, count, seed) {
  /** @type {Map<string, Mutant[]>} */
  const kinds = new Map();
  const byChance = mutants.toSorted((a, b) => (chance(seed, a.key) < chance(seed, b.key) ? -1 : 1));
  for (const mutant of byChance) kinds.set(mutant.kind, [...(kinds.get(mutant.kind) ?? []), mutant]);
  const rounds = Math.max(...[...kinds.values()].map((kind) => kind.length));
  const order = Array.from({ length: rounds }, (_, round) => [...kinds.values()].flatMap((kind) => kind[round] ?? []));
  /** @type {Mutant[]} */
  const picked = [];
  for (const mutant of order.flat()) {
    if (picked.length === count) break;
    if (parses(text, mutant)) picked.push(mutant);
  }
  return picked;
}

/** @param {string} seed @param {string} key */
function chance(seed, key) {
  return createHash('sha256').update(`${seed}\0${key}`).digest('hex');
}

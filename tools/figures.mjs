// @ts-check
/**
 * `node tools/figures.mjs [--write]`: the figures in the README. They are read where the tests write or use them: the pages of
 * `npm run cheats` and `npm run mutants`, the simulation, the crash points, the list of hosts. Without `--write` it exits 1 if the README
 * differs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const README = path.join(ROOT, 'README.md');

/** @param {string} file */
const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

/** Every number that a pattern finds in a file. @param {string} file @param {RegExp} pattern @returns {readonly number[]} */
function numbers(file, pattern) {
  const found = pattern.exec(read(file));
  if (found === null) throw new Error(`Cannot find ${pattern} in ${file}.`);
  return found.slice(1).map((text) => Number(text.replaceAll(/[_,]/g, '')));
}

/** @param {number} [value] */
function shown(value = Number.NaN) {
  if (Number.isNaN(value)) throw new Error('A figure is missing.');
  return value.toLocaleString('en-US');
}

function table() {
  const [cheats = Number.NaN, accepted = Number.NaN] = numbers(
    'docs/internals/cheats.md',
    /^\| cheats +\| (\d+) +\| (\d+) /m,
  );
  const [honest, proven] = numbers('docs/internals/cheats.md', /^\| honest agents +\| (\d+) +\| (\d+) /m);
  const [planted, killed] = numbers('docs/internals/mutants.md', /^\| all +\| (\d+) +\| (\d+) /m);
  const [everyday] = numbers('test/simulation/simulation.everyday.test.ts', /simulate\(([\d_]+)\)/);
  const [long] = numbers('test/simulation/simulation.long.test.ts', /simulate\(([\d_]+)\)/);
  const points = read('src/stores/crash-point.ts').match(/^ {2}\| '/gm)?.length;
  const hosts = read('src/hosts/hosts.ts').match(/ as Host</g)?.length;
  const rows = [
    [
      'Agents that fake green ([`npm run cheats`](docs/internals/cheats.md))',
      `${shown(cheats - accepted)} of ${shown(cheats)} are not accepted, ${shown(proven)} of ${shown(honest)} honest ones are; work that only fits the visible tests needs a hold-out check`,
    ],
    [
      'Bugs planted in our own code ([`npm run mutants`](docs/internals/mutants.md))',
      `the tests find ${shown(killed)} of ${shown(planted)}`,
    ],
    [
      'Random lives of loops, with faults, crashes and clock jumps',
      `${shown(everyday)} in every test run, ${shown(long)} in the long one; a completion without proof fails it`,
    ],
    ['Processes killed with `kill -9`', `at each of ${shown(points)} points of a commit, and at random`],
    ['Real agents, against a fake model', `${shown(hosts)}, in their own programs`],
  ];
  return ['| What is tried | With what result |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  );
}

const page = readFileSync(README, 'utf8');
const marks = /(<!-- figures -->\n)[^]*(<!-- end of figures -->)/;
if (!marks.test(page)) throw new Error('README.md has no place for the figures.');
const written = execFileSync(path.join(ROOT, 'node_modules/.bin/oxfmt'), ['--stdin-filepath=README.md'], {
  cwd: ROOT,
  encoding: 'utf8',
  input: page.replace(marks, (_, before, after) => `${before}\n${table()}\n\n${after}`),
});
if (process.argv.includes('--write')) writeFileSync(README, written);
else if (written !== page) {
  console.error('The figures in README.md are out of date: run "node tools/figures.mjs --write".');
  process.exitCode = 1;
}

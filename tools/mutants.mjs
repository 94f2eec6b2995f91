// @ts-check
/**
 * `npm run mutants [-- options]`: plants bugs in what proves (core, stores, evidence, engine), one at a time, and runs the tests that
 * reach the changed code until one fails. A bug that no test notices is a survivor: it needs a test, or a reason in mutants/accepted.json.
 *
 *   --count N    about how many bugs, spread over the files by length; at least one per file (200)
 *   --seed TEXT  another choice of bugs (1)
 *   --file TEXT  only files whose path contains the text
 *   --again      only the survivors of the last run that have no reason yet; the other verdicts stay as they were
 *   --jobs N     processes that run tests (2)
 *   --list       print the bugs and plant nothing
 *
 * A run without `--file` writes docs/internals/mutants.md. The exit code is 1 when a survivor has no reason.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseMutants, namedMutants } from './mutants/choose.mjs';
import { copyProject } from './mutants/copy-project.mjs';
import { judgeAll, testsFor } from './mutants/judge.mjs';
import { isAccepted, lineOf, writePage } from './mutants/page.mjs';
import { reachOf } from './mutants/reach.mjs';

/** @typedef {import('./mutants/plant.mjs').Mutant} Mutant */
/** @typedef {import('./mutants/judge.mjs').Verdict} Verdict */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LAST = path.join(ROOT, 'node_modules/.cache/tireless-mutants/last.json');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

const named = namedMutants(ROOT);
const testsOfNamed = new Map(named.map(({ mutant, tests }) => [mutant.key, tests]));
const chosen = [
  ...named.map(({ mutant }) => mutant),
  ...chooseMutants(ROOT, { count: Number(values.count), seed: values.seed }),
].filter(({ file }) => file.includes(values.file));
if (values.list) for (const mutant of chosen) console.log(lineOf(mutant));
else await main();

async function main() {
  const place = copyProject(ROOT);
  try {
    const reach = await reachOf({ root: ROOT, ...place });
    const before = values.again ? lastVerdicts() : new Map();
    /** @type {Verdict[]} */
    const verdicts = chosen.flatMap((mutant) => {
      const killedBy = before.get(mutant.key);
      const isSettled = typeof killedBy === 'string' || (killedBy === null && isAccepted(mutant));
      return isSettled ? [{ mutant, killedBy, tests: 0 }] : [];
    });
    const known = new Set(verdicts.map(({ mutant }) => mutant.key));
    const unstable = Object.entries(reach).flatMap(([file, tests]) => tests.unstable.map((test) => `${file}: ${test}`));
    const tasks = chosen
      .filter(({ key }) => !known.has(key))
      .map((mutant) => ({
        mutant,
        text: readFileSync(path.join(place.copy, mutant.file), 'utf8'),
        tests: testsOfNamed.get(mutant.key) ?? testsFor(mutant, reach),
        unstable,
      }));
    await judgeAll(place, tasks, {
      jobs: Number(values.jobs),
      onVerdict: (verdict) => {
        verdicts.push(verdict);
        console.log(
          `${verdict.killedBy === null ? 'SURVIVED' : 'killed  '} ${lineOf(verdict.mutant)}\n         ${verdict.killedBy ?? `${verdict.tests} test files reach it`}`,
        );
        remember(verdicts);
      },
    });
    report(verdicts);
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

/** @param {readonly Verdict[]} verdicts */
function report(verdicts) {
  const survivors = verdicts.filter(({ killedBy }) => killedBy === null);
  const open = survivors.filter(({ mutant }) => !isAccepted(mutant));
  const killed = verdicts.length - survivors.length;
  console.log(
    `${killed} of ${verdicts.length} killed (${((100 * killed) / verdicts.length).toFixed(1)} %), ${open.length} survivors without a reason`,
  );
  for (const { mutant } of open) console.log(`  ${mutant.key} ${lineOf(mutant)}`);
  if (values.file === '') writePage(ROOT, verdicts, { seed: values.seed, named: new Set(testsOfNamed.keys()) });
  process.exitCode = open.length === 0 ? 0 : 1;
}

/** @returns {ReadonlyMap<string, string | null>} */
function lastVerdicts() {
  return new Map(JSON.parse(readFileSync(LAST, 'utf8')));
}

/** @param {readonly Verdict[]} verdicts */
function remember(verdicts) {
  mkdirSync(path.dirname(LAST), { recursive: true });
  writeFileSync(LAST, JSON.stringify(verdicts.map(({ mutant, killedBy }) => [mutant.key, killedBy])));
}

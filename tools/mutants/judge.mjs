// @ts-check
/** Runs the tests that reach a mutant, in child processes that stay warm, until one of them fails. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applied } from './plant.mjs';

/** @typedef {import('./plant.mjs').Mutant} Mutant */
/** @typedef {import('./reach.mjs').Reach} Reach */
/** `killedBy` is the failing test, `null` for a survivor; `tests` is how many test files reach the code.
 * @typedef {{ readonly mutant: Mutant, readonly killedBy: string | null, readonly tests: number }} Verdict */
/** @typedef {{ readonly copy: string, readonly environment: NodeJS.ProcessEnv }} Place */

/** A test has its own time limit of 30 s; code that never yields is ended from outside. */
const SILENCE_MAX_MS = 100_000;
const OTHER_LAYERS_MAX = 10;

/** @param {Place} place @param {readonly { readonly mutant: Mutant, readonly text: string, readonly tests: readonly string[], readonly unstable: readonly string[] }[]} tasks @param {{ readonly jobs: number, readonly onVerdict: (verdict: Verdict) => void }} options */
export async function judgeAll(place, tasks, { jobs, onVerdict }) {
  const queue = [...tasks];
  const workers = Array.from({ length: jobs }, async () => {
    let bench = startBench(place);
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const { mutant, text, tests, unstable } = task;
      const killedBy =
        tests.length === 0
          ? null
          : await bench.run({ file: mutant.file, text: applied(text, mutant), tests, unstable });
      if (bench.isOver()) bench = startBench(place);
      onVerdict({ mutant, killedBy, tests: tests.length });
    }
    bench.end();
  });
  await Promise.all(workers);
}

/**
 * Tests of its own layer, the nearest and quickest first, then the quickest of the others: the tests of a layer should find its bugs.
 * @param {Mutant} mutant
 * @param {Readonly<Record<string, Reach>>} reach
 * @returns {readonly string[]}
 */
export function testsFor(mutant, reach) {
  const point = `${mutant.file}:${mutant.point}`;
  const ms = (/** @type {string} */ test) => reach[test]?.ms ?? 0;
  const reaching = Object.keys(reach).filter((test) => reach[test]?.reached.includes(point));
  const own = reaching.filter((test) => layerOf(test) === layerOf(mutant.file));
  const others = reaching.filter((test) => layerOf(test) !== layerOf(mutant.file)).toSorted((a, b) => ms(a) - ms(b));
  const cost = (/** @type {string} */ test) =>
    ms(test) / (path.dirname(test) === path.dirname(mutant.file) ? 5 : 1) / (isTestOf(test, mutant.file) ? 20 : 1);
  return [...own.toSorted((a, b) => cost(a) - cost(b)), ...others.slice(0, OTHER_LAYERS_MAX)];
}

/** @param {string} file */
function layerOf(file) {
  return file.split('/', 2).join('/');
}

/** @param {string} test @param {string} file */
function isTestOf(test, file) {
  return test === file.replace(/\.ts$/u, '.test.ts');
}

/** @param {Place} place */
function startBench({ copy, environment }) {
  const program = fileURLToPath(new URL('run-mutants.mjs', import.meta.url));
  // Its own group, so that a hanging test is ended together with the process that runs it.
  const child = fork(program, [copy], {
    cwd: copy,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  let isOver = false;
  const ready = new Promise((resolve) => child.once('message', resolve));
  const end = () => {
    isOver = true;
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  process.once('exit', end);

  /** @param {import('./run-mutants.mjs').Order} order @returns {Promise<string | null>} */
  async function run(order) {
    await ready;
    return new Promise((resolve) => {
      const finish = (/** @type {string | null} */ killedBy) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(killedBy);
      };
      const tooLong = () => {
        end();
        finish('hangs: no test ended within 100 s');
      };
      let timer = setTimeout(tooLong, SILENCE_MAX_MS);
      const onMessage = (/** @type {any} */ message) => {
        clearTimeout(timer);
        if ('killedBy' in message) finish(message.killedBy);
        else timer = setTimeout(tooLong, SILENCE_MAX_MS);
      };
      const onExit = () => {
        isOver = true;
        finish('ends the test process');
      };
      child.on('message', onMessage);
      child.once('exit', onExit);
      child.send(order);
    });
  }

  return { run, end, isOver: () => isOver };
}

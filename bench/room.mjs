// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, print, timed } from './measure.mjs';

// What the clean room costs compared with the bare check: `npm run bench:room`, or `npm run bench:room -- small stops` for some of its
// parts. A shell starts the bare check in the project. The room is `tireless verify`: it reads the work, makes the room, runs the check in
// it, compares, and removes the room. A loop pays for all of that except the start of the program, which is measured separately. ROUNDS
// sets the rounds.

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...inherited } = process.env;

const READ_ALL = `import { existsSync, readdirSync, readFileSync } from 'node:fs';
const began = performance.now();
let bytes = 0;
for (const folder of readdirSync('src')) for (const file of readdirSync('src/' + folder)) bytes += readFileSync('src/' + folder + '/' + file).length;
while (performance.now() - began < 10_000) bytes += 1;
process.exit(bytes > 0 && existsSync('done.txt') ? 0 : 1);
`;

const parts = { small, large, stops };
const asked = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const dir = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  try {
    await part(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** 40 source files, 12 test files for node:test that wait 50 ms each, and 3,000 files in node_modules: a suite of one to two seconds. @param {string} dir */
async function small(dir) {
  const project = join(dir, 'project');
  for (let n = 0; n < 40; n++) put(project, `src/part${n}.js`, partOf(n === 0 ? -1 : n));
  for (let n = 0; n < 12; n++) put(project, `test/part${n}.test.js`, waitingTest(n));
  for (let n = 0; n < 3000; n++) put(project, `node_modules/package${n % 300}/file${n}.js`, `module.exports = ${n};\n`);
  put(project, 'package.json', '{"type": "module", "scripts": {"test": "node --test"}}');
  put(project, '.gitignore', 'node_modules/\n');
  const work = () => put(project, 'src/part0.js', partOf(0));
  await compare(dir, {
    title: 'Small project: a node:test suite of 12 files',
    check: 'node --test',
    work,
    aim: '≤ 1.3×',
  });
}

/** @param {number} n */
function partOf(n) {
  return `export const part = () => ${n};\n`;
}

/** @param {number} n */
function waitingTest(n) {
  return `import test from 'node:test';
import assert from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import { part } from '../src/part${n}.js';
test('part ${n}', async () => {
  await setTimeout(50);
  assert.equal(part(), ${n});
});
`;
}

/**
 * 50,000 files of 1 KB, and a check that reads each of them and then works until 10 s have passed: short for a repository of this size.
 * @param {string} dir
 */
async function large(dir) {
  const project = join(dir, 'project');
  const filler = '// what a line of source may say\n'.repeat(30);
  for (let n = 0; n < 50_000; n++)
    put(project, `src/module${n % 500}/file${n}.js`, `export const v = ${n};\n${filler}`);
  put(project, 'test/read-all.mjs', READ_ALL);
  const work = () => put(project, 'done.txt', 'done\n');
  await compare(dir, { title: '50,000 files: a check of 10 s', check: 'node test/read-all.mjs', work, aim: '≤ 1.5×' });
}

/**
 * The check fails until `work` is done, because a check that passed before proves nothing.
 * @param {string} dir
 * @param {{ title: string, check: string, work: () => void, aim: string }} what
 */
async function compare(dir, { title, check, work, aim }) {
  const project = join(dir, 'project');
  commit(project);
  const env = { ...inherited, TIRELESS_HOME: join(dir, 'home') };
  const begin = (/** @type {string[]} */ ...flags) =>
    run(project, env, [3], 'run', 'go on', '--agent-command', ':', '--check', check, '--max-iterations', '1', ...flags);
  const without = await timed(() => begin('--no-room'));
  const started = await timed(() => begin());
  work();
  const rows = await interleaved(
    [
      { name: 'the bare check', run: () => timed(() => shell(project, check)) },
      { name: 'the check in a room (tireless verify)', run: () => timed(() => run(project, env, [0], 'verify')) },
      { name: 'the start of the program (tireless status)', run: () => timed(() => run(project, env, [0], 'status')) },
    ],
    { rounds: ROUNDS },
  );
  print(title, rows, aim);
  const [, inRoom = 0, start = 0] = rows.map((row) => row.ratio);
  const [bare = 0, whole = 0, program = 0] = rows.map((row) => row.medianMs);
  console.log(
    `  in a loop, where the program runs already: ×${(inRoom - start).toFixed(2)}, the room itself ${seconds(whole - bare - program)}; once at the start, with one run of the check: ${seconds(started - without)}`,
  );
}

/** Iterations whose check fails: the room is not entered. One loop of 5 and one of 105, so that the start does not count. @param {string} dir */
async function stops(dir) {
  const project = join(dir, 'project');
  put(project, 'src/a.js', 'export const a = 1;\n');
  commit(project);
  const iterations = 100;
  const perStop = (/** @type {string[]} */ ...flags) => {
    const loop = (/** @type {number} */ length) => {
      const env = { ...inherited, TIRELESS_HOME: mkdtempSync(join(dir, 'home-')) };
      const began = performance.now();
      const limit = ['--max-iterations', String(length), '--max-no-progress', 'unlimited'];
      run(project, env, [3], 'run', 'go on', '--agent-command', ':', '--check', 'exit 1', ...limit, ...flags);
      return performance.now() - began;
    };
    return (loop(iterations + 5) - loop(5)) / iterations;
  };
  const rows = await interleaved(
    [
      { name: 'a stop that does not finish, --no-room', run: () => perStop('--no-room') },
      { name: 'a stop that does not finish', run: () => perStop() },
    ],
    { rounds: ROUNDS },
  );
  print('Stops that do not finish', rows, '1×');
}

/** @param {string} project @param {string} file @param {string} text */
function put(project, file, text) {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

/** @param {string} project */
function commit(project) {
  shell(project, 'git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m all');
}

/** @param {string} cwd @param {string} command */
function shell(cwd, command) {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd, env: inherited });
  if (status !== 0) throw new Error(`${command}: ${status} ${stderr.toString()}`);
}

/** @param {string} cwd @param {NodeJS.ProcessEnv} env @param {number[]} codes @param {string[]} args */
function run(cwd, env, codes, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd, env });
  if (!codes.includes(status ?? -1))
    throw new Error(`tireless ${args.join(' ')}: ${status} ${stdout.toString()}${stderr.toString()}`);
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

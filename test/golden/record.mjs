// @ts-check
/**
 * `node test/golden/record.mjs NAME [DIST]`: records a new shape, `test/golden/shapes/NAME`, by real runs of the program built in DIST
 * (default: `dist`). Recorded shapes are never recorded again: they show what an older version wrote.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { driveOn } from './drive-on.mjs';
import { STORIES } from './stories.mjs';

const [name = '', dist = path.join(import.meta.dirname, '../../dist')] = process.argv.slice(2);
const shape = path.join(import.meta.dirname, 'shapes', name);
// It appears in the journals, so it is nobody's own folder.
const ROOT = '/tmp/tireless-golden';

if (name === '' || existsSync(shape)) throw new Error('Give a name that no shape has: recorded ones stay as they are.');
const core = await import(pathToFileURL(path.resolve(dist, 'core.js')).href);
const { openFileStore } = await import(pathToFileURL(path.resolve(dist, 'index.js')).href);

rmSync(ROOT, { recursive: true, force: true });
mkdirSync(ROOT);
// Nor does the name of somebody's machine.
writeFileSync(
  path.join(ROOT, 'mask.cjs'),
  "require('os').hostname = () => 'golden'; require('module').syncBuiltinESMExports();",
);
for (const [story, { file, live }] of Object.entries(STORIES)) {
  const [home, project] = [path.join(ROOT, 'homes', story), path.join(ROOT, 'projects', story)];
  mkdirSync(project, { recursive: true });
  writeFileSync(path.join(project, 'spec.txt'), 'as it was\n');
  await live(sceneOf(home, project));
  keep(story, home, file === undefined ? undefined : path.join(project, file));
  console.log(story);
}
rmSync(ROOT, { recursive: true, force: true });

/** @param {string} home @param {string} project @returns {import('./stories.mjs').Scene} */
function sceneOf(home, project) {
  const env = {
    // A story may bring its own agent.
    PATH: `${path.join(project, 'bin')}:${process.env['PATH']}`,
    TIRELESS_NODE: process.execPath,
    TIRELESS_CLI: path.resolve(dist, 'cli.js'),
    HOME: path.join(ROOT, 'user'),
    LANG: 'C.UTF-8',
    TIRELESS_HOME: home,
    NODE_OPTIONS: `--require ${path.join(ROOT, 'mask.cjs')}`,
  };
  const starts = (/** @type {readonly string[]} */ args, stdin = '', program = 'cli.js', more = {}) => {
    const child = spawn(process.execPath, [path.resolve(dist, program), ...args], {
      cwd: project,
      env: { ...env, CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000', ...more },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(stdin);
    return { child, end: new Promise((resolve) => void child.on('close', resolve)) };
  };
  return {
    run: async (...args) => void (await starts(args).end),
    hook: async (event, fields = {}, words = [], more = {}) => {
      const payload = { session_id: 'session-1', cwd: project, stop_hook_active: false, ...fields };
      const stdin = JSON.stringify({ ...payload, hook_event_name: event });
      await starts(['claude-code', home, ...words], stdin, 'hook.cjs', more).end;
    },
    loop: () => loopIn(home),
    wait: async (ms) => void (await new Promise((resolve) => void setTimeout(resolve, ms))),
    put: (file, text) => {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text, { mode: 0o755 });
    },
    move: (from, to) => renameSync(path.join(project, from), path.join(project, to)),
    until: async (kind) => {
      const journal = path.join(home, 'loops', loopIn(home), 'journal.jsonl');
      while (!readFileSync(journal, 'utf8').includes(`"kind":"${kind}"`))
        await new Promise((resolve) => void setTimeout(resolve, 50));
    },
    edit: (file, change) =>
      writeFileSync(path.join(project, file), change(readFileSync(path.join(project, file), 'utf8'))),
    killAfter: async (file, ...args) => {
      const { child, end } = starts(args);
      while (!existsSync(path.join(project, file))) await new Promise((resolve) => void setTimeout(resolve, 10));
      child.kill('SIGKILL');
      await end;
    },
  };
}

/** @param {string} home */
function loopIn(home) {
  const [loop = '', ...others] = existsSync(path.join(home, 'loops')) ? readdirSync(path.join(home, 'loops')) : [];
  if (loop === '' || others.length > 0) throw new Error(`${home} has not one loop`);
  return loop;
}

/** @param {string} story @param {string} home @param {string | undefined} file */
function keep(story, home, file) {
  const loop = loopIn(home);
  const from = path.join(home, 'loops', loop);
  const to = path.join(shape, story);
  mkdirSync(to, { recursive: true });
  for (const part of ['journal.jsonl', 'snapshot.json', 'blobs'])
    if (existsSync(path.join(from, part))) cpSync(path.join(from, part), path.join(to, part), { recursive: true });
  if (file !== undefined && existsSync(file)) cpSync(file, path.join(to, `file${path.extname(file)}`));
  const store = openFileStore({ home });
  const entries = store.entries(loop);
  const loaded = store.load(loop);
  store.close();
  const { counted, status, outcome, pause } = loaded.state;
  const ways = driveOn(core, loaded, entries.at(-1).evidence.clock);
  const lines = Object.entries(ways).flatMap(([way, steps]) => steps.map((step) => JSON.stringify({ way, ...step })));
  writeFileSync(path.join(to, 'then.jsonl'), `${lines.join('\n')}\n`);
  const left = { loop, entries: entries.length, status, counted, outcome, pause };
  writeFileSync(path.join(to, 'left.json'), `${JSON.stringify(left, null, 2)}\n`);
}

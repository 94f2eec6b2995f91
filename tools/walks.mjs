// @ts-check
/**
 * `node tools/walks.mjs [--write]`: follows four walks through the source, as lists of functions, and counts how often each
 * changes its folder. A reader of the code has to make the same changes. `--write` puts the walks into docs/internals/walks.md.
 *
 * It bundles the program with one more line at the start of every function, runs it for real in a folder that it removes
 * afterwards, and reads the order of the calls. Functions that are written as values (callbacks) are not counted.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCE = path.join(ROOT, 'src');
const PAGE = path.join(ROOT, 'docs/internals/walks.md');
const TRACE = 'tirelessCalls';

/** @typedef {{ readonly folder: string, readonly functions: readonly string[] }} Stretch */
/** @typedef {{ readonly title: string, readonly about: string, readonly stretches: readonly Stretch[] }} Walk */

/** @returns {Promise<readonly Walk[]>} */
export async function walksOf() {
  const dir = mkdtempSync(path.join(tmpdir(), 'tireless-walks-'));
  try {
    await bundle(path.join(dir, 'dist'));
    return run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param {string} out */
async function bundle(out) {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    logLevel: 'silent',
    input: { cli: 'src/entries/cli.ts', 'hook-fast': 'src/entries/hook-fast.ts' },
    external: [/^node:/u],
    resolve: { mainFields: ['module', 'main'] },
    transform: { define: { __TIRELESS_VERSION__: '"walks"', __STATE_STAMP__: '"walks"' } },
    plugins: [
      {
        name: 'trace-calls',
        transform: (code, id) => (id.startsWith(SOURCE) ? { code: traced(code, id), map: null } : null),
      },
    ],
  });
  await build.write({ dir: out, format: 'esm', entryFileNames: '[name].js' });
  await build.close();
}

/** @param {string} code @param {string} file */
function traced(code, file) {
  const name = path.relative(SOURCE, file).replaceAll('\\', '/');
  /** @type {{ readonly at: number, readonly text: string }[]} */
  const lines = [];
  visit(parseAst(code, { lang: 'ts' }, file), (node) => {
    if (node.type !== 'FunctionDeclaration' || node.body === null || node.body === undefined) return;
    const text = `(globalThis.${TRACE}??=[]).push(${JSON.stringify(`${name} ${node.id?.name ?? ''}`)});`;
    lines.push({ at: node.body.start + 1, text });
  });
  return lines
    .toSorted((a, b) => b.at - a.at)
    .reduce((made, { at, text }) => `${made.slice(0, at)}${text}${made.slice(at)}`, code);
}

/** @param {any} node @param {(node: any) => void} see */
function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') see(node);
  for (const inner of Object.values(node)) visit(inner, see);
}

/** @param {string} dir @returns {readonly Walk[]} */
function run(dir) {
  const project = path.join(dir, 'project');
  for (const folder of ['project/.stravinsky', 'user/.claude']) mkdirSync(path.join(dir, folder), { recursive: true });
  const stop = (/** @type {string} */ session, /** @type {string} */ message) =>
    JSON.stringify({
      session_id: session,
      cwd: project,
      hook_event_name: 'Stop',
      stop_hook_active: true,
      last_assistant_message: message,
    });
  const home = path.join(dir, 'home');
  const env = {
    PATH: process.env['PATH'],
    HOME: path.join(dir, 'user'),
    TIRELESS_HOME: home,
    CLAUDE_CODE_SESSION_ID: 'native',
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000',
  };
  /** @param {string} entry @param {readonly string[]} args @param {string} [input] */
  const calls = (entry, args, input = '') => {
    const trace = path.join(dir, 'trace.json');
    const script = `
      process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(trace)}, JSON.stringify(globalThis.${TRACE})));
      process.argv.splice(1, 0, ${JSON.stringify(path.join(dir, 'dist', `${entry}.js`))});
      import(process.argv[1]).then((loaded) => {
        if (loaded.run === undefined) return;
        globalThis.${TRACE} = [];
        loaded.run(process.argv.slice(2), () => { throw new Error('the fast hook did not answer'); });
      });`;
    const ran = spawnSync(process.execPath, ['-e', script, ...args], { cwd: project, env, input, encoding: 'utf8' });
    if (ran.stderr.includes('Error:')) throw new Error(`Cannot follow ${entry} ${args.join(' ')}: ${ran.stderr}`);
    return /** @type {readonly string[]} */ (JSON.parse(readFileSync(trace, 'utf8')));
  };
  const goal = ['start', 'make it work', '--host', 'claude-code', '--session', 'native'];
  calls('cli', goal);
  // The second stop: a loop in the middle of its life.
  calls('hook-fast', ['claude-code', home], stop('native', 'I looked at it.'));
  const native = calls('hook-fast', ['claude-code', home], stop('native', 'I changed a file.'));
  const file = ['---', 'iteration_count: 1', 'max_iterations: 9', 'completion_promise: "DONE"', 'active: true', '---', ''];
  writeFileSync(path.join(project, '.stravinsky/continuation-loop.md'), file.join('\n'));
  const dialect = ['hook', 'claude-code', '--dialect', 'stravinsky'];
  calls('cli', dialect, stop('foreign', 'I looked at it.'));
  const foreign = calls('cli', dialect, stop('foreign', 'I changed a file.'));
  const agent = ['--agent-command', 'cat >/dev/null; touch done', '--check', 'test -e done', '--max-iterations', '1'];
  const iteration = calls('cli', ['run', 'make it work', ...agent]);
  const install = calls('cli', ['install', 'claude-code', '--yes']);
  return [
    { title: 'A stop in Claude Code', about: 'The fast hook, second stop of a loop without checks.', calls: native },
    { title: 'A stop in a dialect', about: '`tireless hook claude-code --dialect stravinsky`.', calls: foreign },
    { title: 'One iteration', about: '`tireless run` with one iteration and one check.', calls: iteration },
    { title: 'Install', about: '`tireless install claude-code --yes`.', calls: install },
  ].map(({ title, about, calls: made }) => ({ title, about, stretches: stretchesOf(made) }));
}

/** @param {readonly string[]} calls @returns {readonly Stretch[]} */
function stretchesOf(calls) {
  /** @type {{ folder: string, functions: string[] }[]} */
  const stretches = [];
  for (const call of calls) {
    const [file = '', name = ''] = call.split(' ');
    const [folder = ''] = file.split('/');
    const last = stretches.at(-1);
    if (last?.folder !== folder) stretches.push({ folder, functions: [name] });
    else if (!last.functions.includes(name)) last.functions.push(name);
  }
  return stretches;
}

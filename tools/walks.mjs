// @ts-check
/**
 * `node tools/walks.mjs [--write]`: follows four walks through the source, as lists of functions, and counts how often each changes its
 * folder. `--write` puts the walks into docs/internals/walks.md.
 *
 * It bundles the program with one more line at the start of every function, runs it in a folder that it removes afterwards, and reads the
 * order of the calls. A function is listed once, at its first call: nobody reads it twice. Functions that call no other function of ours
 * are left out, and so are functions written as values (callbacks).
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
/**
 * `everyCall`: the changes of folder if every call counts, including calls of functions listed before.
 * @typedef {{ readonly title: string, readonly about: string, readonly stretches: readonly Stretch[], readonly everyCall: number }} Walk
 */

/** @param {boolean} isWriting */
async function main(isWriting) {
  const walks = await followWalks();
  for (const { title, stretches, everyCall } of walks)
    console.log(`${title}: ${changesIn(stretches)} changes of folder (${everyCall} when every call counts)`);
  if (isWriting) writeFileSync(PAGE, pageOf(walks));
}

/** @returns {Promise<readonly Walk[]>} */
async function followWalks() {
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
  const tree = parseAst(code, { lang: 'ts' }, file);
  const ours = ownFunctions(tree);
  /** @type {{ readonly at: number, readonly text: string }[]} */
  const lines = [];
  visit(tree, (node) => {
    if (node.type !== 'FunctionDeclaration' || !callsOneOf(ours, node.body)) return;
    const text = `(globalThis.${TRACE}??=[]).push(${JSON.stringify(`${name} ${node.id.name}`)});`;
    lines.push({ at: node.body.start + 1, text });
  });
  return lines
    .toSorted((a, b) => b.at - a.at)
    .reduce((made, { at, text }) => `${made.slice(0, at)}${text}${made.slice(at)}`, code);
}

/** Functions that a file imports from our own files or declares itself. @param {any} tree @returns {ReadonlySet<string>} */
function ownFunctions(tree) {
  return new Set(
    tree.body.flatMap((/** @type {any} */ node) => {
      if (node.type === 'ImportDeclaration')
        return node.source.value.startsWith('.') ? node.specifiers.map((/** @type {any} */ one) => one.local.name) : [];
      const { id } = node.declaration ?? node;
      return id === undefined || id === null ? [] : [id.name];
    }),
  );
}

/** @param {ReadonlySet<string>} names @param {any} body */
function callsOneOf(names, body) {
  let isCaller = false;
  visit(body, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && names.has(node.callee.name))
      isCaller = true;
  });
  return isCaller;
}

/** @param {any} node @param {(node: any) => void} see */
function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') see(node);
  for (const inner of Object.values(node)) visit(inner, see);
}

/** @param {string} dir @returns {readonly Walk[]} */
function run(dir) {
  for (const folder of ['project/.stravinsky', 'user/.claude']) mkdirSync(path.join(dir, folder), { recursive: true });
  const walks = [
    { title: 'A stop in Claude Code', about: 'The fast hook, second stop of a loop without checks.', calls: stop(dir) },
    {
      title: 'A stop in a dialect',
      about: '`tireless hook claude-code --dialect stravinsky`, second stop.',
      calls: stopInDialect(dir),
    },
    {
      title: 'One iteration',
      about: '`tireless run` with one iteration and one check.',
      calls: callsOf(dir, 'cli', ['run', 'make it work', ...ONE_ITERATION]),
    },
    {
      title: 'Install',
      about: '`tireless install claude-code --yes`, before any loop.',
      calls: callsOf(dir, 'cli', ['install', 'claude-code', '--yes']),
    },
  ];
  return walks.map(({ title, about, calls }) => ({
    title,
    about,
    stretches: stretchesOf([...new Set(calls)]),
    everyCall: changesIn(stretchesOf(calls)),
  }));
}

const AGENT = ['--agent-command', 'cat >/dev/null; touch done'];
const ONE_ITERATION = [...AGENT, '--check', 'test -e done', '--max-iterations', '1'];

/** The second stop: a loop in the middle of its life. @param {string} dir */
function stop(dir) {
  callsOf(dir, 'cli', ['start', 'make it work', '--host', 'claude-code', '--session', 'native']);
  const args = ['claude-code', path.join(dir, 'home')];
  callsOf(dir, 'hook-fast', args, stopPayload(dir, 'native', 'I looked at it.'));
  return callsOf(dir, 'hook-fast', args, stopPayload(dir, 'native', 'I changed a file.'));
}

/** @param {string} dir */
function stopInDialect(dir) {
  const lines = ['---', 'iteration_count: 1', 'max_iterations: 9', 'completion_promise: "DONE"', 'active: true', '---'];
  writeFileSync(path.join(dir, 'project/.stravinsky/continuation-loop.md'), `${lines.join('\n')}\n`);
  const args = ['hook', 'claude-code', '--dialect', 'stravinsky'];
  callsOf(dir, 'cli', args, stopPayload(dir, 'foreign', 'I looked at it.'));
  return callsOf(dir, 'cli', args, stopPayload(dir, 'foreign', 'I changed a file.'));
}

/** @param {string} dir @param {string} session @param {string} message */
function stopPayload(dir, session, message) {
  return JSON.stringify({
    session_id: session,
    cwd: path.join(dir, 'project'),
    hook_event_name: 'Stop',
    stop_hook_active: true,
    last_assistant_message: message,
  });
}

/** The calls that a program makes, in order. @param {string} dir @param {string} entry @param {readonly string[]} args @param {string} [input] */
function callsOf(dir, entry, args, input = '') {
  const trace = path.join(dir, 'trace.json');
  const script = `
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(trace)}, JSON.stringify(globalThis.${TRACE})));
    process.argv.splice(1, 0, ${JSON.stringify(path.join(dir, 'dist', `${entry}.js`))});
    import(process.argv[1]).then((loaded) => {
      if (loaded.run === undefined) return;
      globalThis.${TRACE} = [];
      loaded.run(process.argv.slice(2), () => { throw new Error('the fast hook did not answer'); });
    });`;
  const env = {
    PATH: process.env['PATH'],
    HOME: path.join(dir, 'user'),
    // Most people install before they have a loop.
    TIRELESS_HOME: path.join(dir, args[0] === 'install' ? 'new-home' : 'home'),
    // With this variable the caller counts as an agent, and only people may start loops and install.
    ...(args[0] === 'run' || args[0] === 'install' ? {} : { CLAUDE_CODE_SESSION_ID: 'native' }),
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000',
  };
  const options = { cwd: path.join(dir, 'project'), env, input, encoding: /** @type {const} */ ('utf8') };
  const { stderr, status } = spawnSync(process.execPath, ['-e', script, ...args], options);
  if (stderr.includes('Error:') || (args[0] !== 'hook' && entry === 'cli' && ![0, 3].includes(status ?? -1)))
    throw new Error(`Cannot follow ${entry} ${args.join(' ')}: ${stderr}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the script above.
  return /** @type {readonly string[]} */ (JSON.parse(readFileSync(trace, 'utf8')));
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

/** @param {readonly Stretch[]} stretches */
function changesIn(stretches) {
  return stretches.length - 1;
}

/** @param {readonly Walk[]} walks */
function pageOf(walks) {
  const intro = [
    '# Four walks through the source',
    '',
    'What happens in which order, for a first reading of the code. Each line is a folder of `src/` and the functions that run there. A function is',
    'listed once, where it is called first. Functions that call no other function of ours are left out, and so are callbacks.',
    '',
    'This page is generated: `node tools/walks.mjs --write` runs the program and writes down what it calls.',
  ];
  const parts = walks.flatMap(({ title, about, stretches }) => [
    '',
    `## ${title}`,
    '',
    `${about} ${changesIn(stretches)} changes of folder.`,
    '',
    ...stretches.map(
      ({ folder, functions }, index) => `${index + 1}. ${folder}: ${functions.map((name) => `\`${name}\``).join(', ')}`,
    ),
  ]);
  return `${[...intro, ...parts].join('\n')}\n`;
}

await main(process.argv.includes('--write'));

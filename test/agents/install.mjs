// @ts-check
/**
 * Installs the pinned clients, each into its own folder, so that one that cannot be installed does not affect the others. A client that
 * already has the right version stays. Writes installed.json: `{host: {version, path} | {missing: reason}}`. Exits with 0 if a client is
 * missing: its tests are then skipped, and the reason is reported.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const INSTALL_MS_MAX = 15 * 60_000;
const STUB_BYTES_MAX = 64 * 1024;
const MACHINE = `${process.platform}-${process.arch}`;

/**
 * Files to start, most preferred first: the native program if there is one, because npm's launcher leaves it running when the launcher is
 * killed. `vendor/*` is the only folder in there.
 *
 * @type {Readonly<Record<string, {readonly name: string, readonly files: readonly string[]}>>}
 */
const CLIENTS = {
  'claude-code': {
    name: '@anthropic-ai/claude-code',
    files: [`@anthropic-ai/claude-code-${MACHINE}/claude`, '.bin/claude'],
  },
  codex: { name: '@openai/codex', files: [`@openai/codex-${MACHINE}/vendor/*/bin/codex`, '.bin/codex'] },
  gemini: { name: '@google/gemini-cli', files: ['.bin/gemini'] },
  qwen: { name: '@qwen-code/qwen-code', files: ['.bin/qwen'] },
  copilot: { name: '@github/copilot', files: [`@github/copilot-${MACHINE}/copilot`, '.bin/copilot'] },
  opencode: { name: 'opencode-ai', files: ['opencode-ai/bin/opencode.exe', `opencode-${MACHINE}/bin/opencode`] },
  pi: { name: '@earendil-works/pi-coding-agent', files: ['.bin/pi'] },
  droid: { name: 'droid', files: [`@factory/cli-${MACHINE}/bin/droid`, '.bin/droid'] },
};

/** @typedef {{version: string, path: string} | {missing: string}} Installed */

/** @returns {Record<string, Installed>} */
export function installClients() {
  /** @type {Record<string, Installed>} */
  const installed = {};
  for (const host of Object.keys(CLIENTS)) {
    const there = lookFor(host);
    const now = 'missing' in there ? install(host) : there;
    installed[host] = now;
    console.log('missing' in now ? `${host}: MISSING, ${now.missing}` : `${host}: ${now.version}`);
  }
  writeFileSync(path.join(HERE, 'installed.json'), `${JSON.stringify(installed, undefined, 2)}\n`);
  return installed;
}

/**
 * @param {string} host
 * @returns {Installed}
 */
function install(host) {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr, error } = spawnSync('npm', args, {
    cwd: path.join(HERE, 'clients', host),
    encoding: 'utf8',
    timeout: INSTALL_MS_MAX,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return lookFor(host);
  const lines = (error?.message ?? stderr).split('\n').filter((line) => line.trim() !== '');
  return { missing: `npm ci failed: ${lines.slice(0, 3).join(' ')}` };
}

/**
 * @param {string} host
 * @returns {Installed}
 */
function lookFor(host) {
  const client = CLIENTS[host];
  if (client === undefined) return { missing: 'nobody knows this client' };
  const folder = path.join(HERE, 'clients', host);
  const pinned = readJson(path.join(folder, 'package.json'))?.dependencies?.[client.name];
  const version = readJson(path.join(folder, 'node_modules', client.name, 'package.json'))?.version;
  if (version === undefined) return { missing: 'it is not installed' };
  if (version !== pinned) return { missing: `${version} is installed, ${pinned} is wanted` };
  const file = client.files.flatMap((name) => candidates(path.join(folder, 'node_modules'), name)).find(isProgram);
  return file === undefined ? { missing: `there is no program for ${MACHINE}` } : { version, path: file };
}

/**
 * @param {string} base
 * @param {string} name
 * @returns {string[]}
 */
function candidates(base, name) {
  const [before = '', after] = name.split('/*/');
  if (after === undefined) return [path.join(base, name)];
  const parent = path.join(base, before);
  return existsSync(parent) ? readdirSync(parent).map((entry) => path.join(parent, entry, after)) : [];
}

/**
 * If an install script is blocked, a stub takes the place of the native program.
 *
 * @param {string} file
 */
function isProgram(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (!file.endsWith('.exe') || found.size > STUB_BYTES_MAX);
}

/** @param {string} file */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) installClients();

// @ts-check
/**
 * `npm run test:agents [vitest arguments]`: installs the pinned clients, then runs the tests in a network with nothing but the loopback.
 * That includes vitest itself, because the fake model must be in the same network as the clients.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installClients } from './install.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '../..');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const UP = 'ip link set lo up && exec "$0" "$@"';

installClients();
prepareTmux();
const wrapper = loopbackOnly();
const isAlone = wrapper.length > 0;
if (!isAlone) console.log('note: this system gives us no network namespace; the clients could reach the internet.');
const given = process.argv.slice(2);
const usual = given.some((word) => word.startsWith('--reporter')) ? [] : ['--reporter=default'];
const reports = [...usual, `--reporter=${path.join(HERE, 'support/skip-report.mjs')}`];
const vitest = [process.execPath, VITEST, 'run', '--config', path.join(HERE, 'vitest.config.ts'), ...reports];
const [file = '', ...args] = [...wrapper, ...vitest, ...given];
const { status } = spawnSync(file, args, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, TIRELESS_TEST_NETWORK: isAlone ? 'loopback' : 'open' },
});
process.exitCode = status ?? 1;

/**
 * The words to put before a command, or none.
 *
 * @returns {string[]}
 */
function loopbackOnly() {
  if (process.platform !== 'linux') return [];
  const ways = [
    ['unshare', '-n', '--', 'sh', '-c', UP],
    ['unshare', '-r', '-n', '--', 'sh', '-c', UP],
  ];
  return ways.find(([name = '', ...words]) => spawnSync(name, [...words, 'true']).status === 0) ?? [];
}

/** Without it, terminal tests are skipped and reported. */
function prepareTmux() {
  if (spawnSync('tmux', ['-V']).status === 0) return;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  console.log('installing tmux, for the tests in a terminal');
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'tmux'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

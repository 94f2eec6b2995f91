/**
 * The programs that the projects need, found with an empty HOME: launchers such as rustup and pyenv search the HOME of the user, so the
 * programs behind them come first on the PATH of a case. If one is missing, the name of the skipped test has the reason.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectName } from './catalogue/case.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const JEST_FOLDER = path.join(ROOT, 'test/cheats/runners/jest');
const INSTALL_MS_MAX = 5 * 60_000;

const JEST_MODULES = path.join(JEST_FOLDER, 'node_modules');

/** Name and folder. */
export type Package = readonly [string, string];

/** vitest and everything it needs, from our own dependencies. */
export const VITEST_PACKAGES: readonly Package[] = closureOf('vitest');

/** jest and everything it needs, once it is installed. */
export function jestPackages(): readonly Package[] {
  const inside = (folder: string): string[] => readdirSync(path.join(JEST_MODULES, folder));
  const names = inside('').flatMap((name) =>
    name.startsWith('@') ? inside(name).map((part) => `${name}/${part}`) : [name],
  );
  return names.filter((name) => !name.startsWith('.')).map((name) => [name, path.join(JEST_MODULES, name)]);
}

type Toolchain = {
  /** Come first on the PATH. */
  readonly folders: readonly string[];
  /** Why its projects cannot run here. */
  readonly missing: string | undefined;
};

const FOUND: Toolchain = { folders: [], missing: undefined };

/** Determined once per run; installs jest and pytest if they are missing. */
export function findToolchains(): Readonly<Record<ProjectName, Toolchain>> {
  const javascript = says('npm', ['--version']) === null ? { folders: [], missing: 'there is no npm' } : FOUND;
  return {
    node: javascript,
    vitest: javascript,
    jest: findJest(),
    pytest: findPytest(),
    make: findMake(),
    rust: findRust(),
    shell: says('bash', ['--version']) === null ? { folders: [], missing: 'there is no bash' } : FOUND,
  };
}

function findJest(): Toolchain {
  const wanted = versionIn(path.join(JEST_FOLDER, 'package.json'), 'jest');
  if (installedVersion() === wanted) return FOUND;
  // Not `npm ci`: it refuses a lock file without the optional packages of other platforms. The lock file is read, and not written.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', args, { cwd: JEST_FOLDER, encoding: 'utf8', timeout: INSTALL_MS_MAX });
  if (status === 0 && installedVersion() === wanted) return FOUND;
  return { folders: [], missing: `jest ${wanted} cannot be installed: ${stderr.trim().split('\n')[0]}` };
}

function installedVersion(): string | undefined {
  const file = path.join(JEST_MODULES, 'jest/package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}

function versionIn(file: string, name: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> }).dependencies[name] ?? '';
}

function findPytest(): Toolchain {
  const hasPytest = (program: string | null): program is string =>
    program !== null && says(program, ['-m', 'pytest', '--version'], { HOME: '/nonexistent' }) !== null;
  const find = (): string | null => says('python3', ['-c', 'import sys; print(sys.executable)']);
  if (!hasPytest(find()) && process.platform === 'linux' && process.getuid?.() === 0)
    spawnSync('apt-get', ['install', '-y', 'python3-pytest'], { stdio: 'ignore', timeout: INSTALL_MS_MAX });
  const python = [find(), '/usr/bin/python3'].find(hasPytest);
  return python === undefined
    ? { folders: [], missing: '"python3 -m pytest" does not run' }
    : { folders: [path.dirname(python)], missing: undefined };
}

function findMake(): Toolchain {
  const missing = ['make', 'cc'].filter((name) => says(name, ['--version']) === null);
  return missing.length === 0 ? FOUND : { folders: [], missing: `there is no ${missing.join(' and no ')}` };
}

function findRust(): Toolchain {
  const cargo = says('rustup', ['which', 'cargo']) ?? says('sh', ['-c', 'command -v cargo']);
  if (cargo === null) return { folders: [], missing: 'there is no cargo' };
  const folder = path.dirname(cargo);
  const works = says(path.join(folder, 'cargo'), ['--version'], { HOME: '/nonexistent' }) !== null;
  return works
    ? { folders: [folder], missing: undefined }
    : { folders: [], missing: 'cargo does not run in another HOME' };
}

/** The output of a program, or `null` if it is missing or fails. */
function says(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return status === 0 ? stdout.trim() : null;
}

function closureOf(first: string): readonly Package[] {
  const found = new Map<string, string>();
  const open = [first];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const folder = path.join(ROOT, 'node_modules', name);
    if (found.has(name) || !existsSync(folder)) continue;
    found.set(name, folder);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, { optional?: boolean } | undefined> | undefined>;
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true);
    open.push(...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers);
  }
  return [...found];
}

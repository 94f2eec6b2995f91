import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { removeFolder } from '../../system/mirror-folder.ts';
import { temporaryDirectory } from '../../system/project.ts';
import { runProgram } from '../../system/run-program.ts';
import { programOnPath, realPath } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import type { Finding } from './finding.ts';
import { note, ok, problem } from './finding.ts';
import { plainEnvironment } from './plain-environment.ts';

/** A client that is a script of many megabytes starts slowly on a busy machine. */
const VERSION_MS_MAX = 60_000;

/** Version managers that put a small program in front of the real one: which version it starts depends on where it is called. */
const SHIM = /[\\/](?:shims|\.volta[\\/]bin|fnm_multishells)[\\/]/u;

export function isShim(file: string): boolean {
  return SHIM.test(file);
}

/** `undefined` = it is not on the PATH. */
export function programOf(host: HostId, world: SetupWorld): string | undefined {
  return HOSTS[host].install.signs.programs
    .map((name) => programOnPath(name, world.env))
    .find((file) => file !== undefined);
}

export async function programFindings(host: HostId, world: SetupWorld): Promise<readonly Finding[]> {
  const file = programOf(host, world);
  if (file === undefined) {
    const [name = host] = HOSTS[host].install.signs.programs;
    const text = `no program "${name}" on the PATH`;
    return [problem(host, { about: 'program', text, fix: `install it, or put its folder on the PATH` })];
  }
  const version = await versionOf(host, file, world);
  if (version === null) {
    const text = `${file} does not report its version`;
    return [problem(host, { about: 'program', text, fix: `run "${file} --version" and read its output` })];
  }
  const { measured } = HOSTS[host].capabilities;
  const measuredText = version === measured ? '' : `; tireless was measured on ${measured}`;
  return [
    ok(host, { about: 'program', text: `${version} (${file})${measuredText}` }),
    ...(isShim(file) || isShim(realPath(file))
      ? [
          note(host, {
            about: 'shim',
            text: `${file} is a version manager's shim: which version runs depends on the folder`,
          }),
        ]
      : []),
  ];
}

async function versionOf(host: HostId, file: string, world: SetupWorld): Promise<string | null> {
  const scratch = temporaryDirectory('version');
  try {
    const { exitCode, stdout } = await runProgram({
      file,
      args: ['--version'],
      cwd: world.cwd,
      environment: { ...plainEnvironment(world), ...HOSTS[host].trial.versionVariables?.(scratch) },
      timeoutMs: VERSION_MS_MAX,
    });
    return exitCode === 0 ? versionIn(stdout) : null;
  } finally {
    removeFolder(scratch);
  }
}

/** The version may be the end of a sentence. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+\.\d+(?:[\w.+-]*\w)?/u.exec(text)?.[0] ?? null;
}

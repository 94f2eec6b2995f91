import { homedir } from 'node:os';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { ignoringErrno } from './errno.ts';

export type Platform = {
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Empty if the system knows no home directory for this user (a container with a foreign user id). */
  readonly home: string;
};

/**
 * Where loops, journals, session bindings and trust live. Refuses a relative `TIRELESS_HOME`: a hook runs in whatever
 * directory the agent is in, so a relative home would be a different, empty store after every `cd`.
 */
export function tirelessHome(platform: Platform): string {
  const paths = platform.os === 'win32' ? path.win32 : path.posix;
  const asked = platform.env['TIRELESS_HOME'];
  if (asked !== undefined && asked !== '') {
    if (paths.isAbsolute(asked)) return paths.normalize(asked);
    throw new Fault(
      'HOME_UNUSABLE',
      `TIRELESS_HOME is "${asked}", which is not an absolute path. Set it to a full path, or unset it to use the default.`,
    );
  }
  if (platform.os === 'win32') {
    const local = absoluteOr(
      platform.env['LOCALAPPDATA'],
      () => paths.join(homeOf(platform), 'AppData', 'Local'),
      paths,
    );
    return paths.join(local, 'tireless');
  }
  const state = absoluteOr(
    platform.env['XDG_STATE_HOME'],
    () => paths.join(homeOf(platform), '.local', 'state'),
    paths,
  );
  return paths.join(state, 'tireless');
}

/** The defaults that a user keeps for every loop. */
export function userConfigFile(platform: Platform): string {
  const { os, env } = platform;
  const paths = os === 'win32' ? path.win32 : path.posix;
  const folder =
    os === 'win32'
      ? absoluteOr(env['APPDATA'], () => paths.join(homeOf(platform), 'AppData', 'Roaming'), paths)
      : absoluteOr(env['XDG_CONFIG_HOME'], () => paths.join(homeOf(platform), '.config'), paths);
  return paths.join(folder, 'tireless', 'config.json');
}

/** Where administrators put settings for a program of that name. */
export function managedFolder(program: string, { os, env }: Pick<Platform, 'os' | 'env'>): string {
  const title = program.replaceAll(/(?:^|-)(\w)/gu, (_, letter: string) => letter.toUpperCase());
  if (os === 'darwin') return `/Library/Application Support/${title}`;
  return os === 'win32' ? path.win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', title) : `/etc/${program}`;
}

/** Where a program keeps the configuration of a whole machine, also on macOS. `folder`: its folder on Windows, with the vendor. */
export function machineFolder(program: string, folder: string, { os, env }: Pick<Platform, 'os' | 'env'>): string {
  return os === 'win32' ? path.win32.join(env['ProgramData'] ?? 'C:\\ProgramData', folder) : `/etc/${program}`;
}

/** Every unknown system is treated as Linux: the code reads `/proc` and copes if there is none. */
export function currentPlatform(): Platform {
  const os = process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
  // `homedir` throws if neither HOME nor the user database has an answer; that only matters once the home is needed.
  return {
    os,
    env: process.env,
    get home() {
      return ignoringErrno(homedir) ?? '';
    },
  };
}

/** The XDG rule: a relative path in these variables is invalid and is ignored. */
function absoluteOr(value: string | undefined, otherwise: () => string, paths: path.PlatformPath): string {
  return value !== undefined && paths.isAbsolute(value) ? value : otherwise();
}

function homeOf(platform: Platform): string {
  if (platform.home !== '') return platform.home;
  throw new Fault(
    'HOME_UNUSABLE',
    'This user has no home directory, so loops have nowhere to live. Set TIRELESS_HOME to a writable directory.',
  );
}

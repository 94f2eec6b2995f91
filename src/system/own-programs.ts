import path from 'node:path';
import { isProgram } from './is-program.ts';
import { currentPlatform, type Platform } from './paths.ts';

/**
 * Where our own commands (git, cp) find their programs. An agent may put a program named `git` into a folder of PATH, and it would run as part of
 * us, outside the agent's namespace. So the folder of git is chosen once per process and searched first; folders below HOME come last.
 */
export type OwnPrograms = {
  /** The PATH of our own commands. */
  readonly path: string;
  /** The file that runs as `git`. */
  readonly git: string | undefined;
};

/** By PATH: it does not change while a process runs, except in tests. */
const chosen = new Map<string, OwnPrograms>();

/** `undefined`: this system has no such PATH. */
export function ownPrograms(platform: Platform = currentPlatform()): OwnPrograms | undefined {
  const { PATH } = platform.env;
  if (platform.os === 'win32' || PATH === undefined) return undefined;
  const found = chosen.get(PATH) ?? choosePrograms(PATH, platform.home);
  chosen.set(PATH, found);
  return found;
}

/** Later commands of this process use this git. */
export function useGit(git: string, { env }: Platform = currentPlatform()): void {
  const { PATH } = env;
  const found = ownPrograms();
  if (PATH !== undefined && found !== undefined && found.git !== git) chosen.set(PATH, withGit(found.path, git));
}

function choosePrograms(PATH: string, home: string): OwnPrograms {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const isInHome = (folder: string): boolean => home !== '' && !path.relative(home, folder).startsWith('..');
  const sorted = [...folders.filter((folder) => !isInHome(folder)), ...folders.filter(isInHome)];
  const git = sorted.map((folder) => path.join(folder, 'git')).find(isProgram);
  return withGit(sorted.join(path.delimiter), git);
}

function withGit(folders: string, git: string | undefined): OwnPrograms {
  const first = git === undefined ? [] : [path.dirname(git)];
  const others = folders.split(path.delimiter).filter((folder) => !first.includes(folder));
  return { path: [...first, ...others].join(path.delimiter), git };
}

import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { errnoOf, ignoringErrno } from './errno.ts';
import type { Platform } from './paths.ts';
import { isProgram } from './is-program.ts';

/** The directory with every link resolved, or `undefined` if there is none. */
export function realDirectory(directory: string): string | undefined {
  return ignoringErrno(() => {
    const real = realpathSync(directory);
    return statSync(real).isDirectory() ? real : undefined;
  });
}

/** The project a loop works in, as one real path, whichever link led there. Throws `PROJECT_MISSING`. */
export function projectDirectory(asked: string | undefined, cwd: string, otherwise = 'correct --cwd'): string {
  const wanted = path.resolve(cwd, asked ?? '.');
  const real = realDirectory(wanted);
  if (real !== undefined) return real;
  throw new Fault(
    'PROJECT_MISSING',
    `Cannot work in ${wanted}: there is no such directory. Create it, or ${otherwise}.`,
  );
}

/** Does a loop that works in a directory belong to the project in which a command was called? */
export function isInProjectOf(cwd: string): (directory: string) => boolean {
  const here = projectRoot(realDirectory(cwd) ?? cwd);
  return (directory) => projectRoot(directory) === here;
}

/**
 * The root folder of a project: the nearest one with a `.git`, or else the folder itself. A home directory under git is not the project
 * of everything below it.
 */
export function projectRoot(directory: string): string {
  const home = ignoringErrno(() => realpathSync(homedir()));
  for (let folder = directory; folder !== home; folder = path.dirname(folder)) {
    if (ignoringErrno(() => statSync(path.join(folder, '.git'))) !== undefined) return folder;
    if (path.dirname(folder) === folder) break;
  }
  return directory;
}

/**
 * The folder and those above it, nearest first, up to the root of its repository, or of the disk if there is none. Stops below the user's home
 * directory.
 */
export function foldersUpToRepository(directory: string, home: string | undefined): readonly string[] {
  const folders = [directory];
  for (let folder = directory; ignoringErrno(() => statSync(path.join(folder, '.git'))) === undefined;) {
    const above = path.dirname(folder);
    if (above === folder || above === home) break;
    folders.push(above);
    folder = above;
  }
  return folders;
}

/** A new, empty directory of this user, with every link resolved. The caller removes it. */
export function temporaryDirectory(purpose: string): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), `tireless-${purpose}-`)));
}

/** Removes a directory made by `temporaryDirectory`, with everything in it. The system cleans up anything that cannot be removed. */
export function removeTemporaryDirectory(directory: string): void {
  ignoringErrno(() => rmSync(directory, { recursive: true, force: true }));
}

/** Removes those that were made for `PURPOSE-PID` by a process that no longer runs. */
export function removeDeadDirectories(purpose: string): void {
  const begin = `tireless-${purpose}-`;
  for (const name of ignoringErrno(() => readdirSync(tmpdir())) ?? []) {
    const pid = name.startsWith(begin) ? /^(\d+)-/.exec(name.slice(begin.length))?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) removeTemporaryDirectory(path.join(tmpdir(), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

/** Words a shell understands without a program of that name. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  '. : [ alias break builtin case cd command continue do done echo else esac eval exec exit export false fg fi for function getopts hash if in jobs kill local printf pwd read readonly return select set shift source test then time times trap true type ulimit umask unset until wait while'.split(
    ' ',
  ),
);

/**
 * Can a shell find the program a command begins with? Best effort: `undefined` for everything that is not a plain word (quotes,
 * variables, assignments, operators), for the shell's own words, and on Windows, where `cmd` has other rules.
 */
export function findsProgram(command: string, cwd: string, platform: Platform): boolean | undefined {
  const word = /^\s*([\w.+@/-]+)(?=\s|$)/.exec(command)?.[1];
  if (word === undefined || platform.os === 'win32' || SHELL_WORDS.has(word)) return undefined;
  if (word.includes('/')) return isProgram(path.resolve(cwd, word));
  const folders = (platform.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => isProgram(path.resolve(cwd, folder, word)));
}

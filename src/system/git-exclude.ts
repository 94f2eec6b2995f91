import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';

/** The file of ignored names that is never committed, for a repository whose root is this folder; `undefined` = the folder is not a root. */
export function gitExcludeFile(project: string): string | undefined {
  const git = path.join(project, '.git');
  const stats = ignoringErrno(() => statSync(git));
  if (stats === undefined) return undefined;
  // In a worktree or a submodule, `.git` is a file that names the folder.
  const folder = stats.isDirectory() ? git : namedIn(git, /^gitdir: (.+)$/mu, project);
  if (folder === undefined || ignoringErrno(() => statSync(folder).isDirectory()) !== true) return undefined;
  // Worktrees share the file of their main repository.
  const shared = namedIn(path.join(folder, 'commondir'), /^(.+)$/mu, folder) ?? folder;
  return path.join(shared, 'info', 'exclude');
}

function namedIn(file: string, pattern: RegExp, base: string): string | undefined {
  const text = ignoringErrno(() => readFileSync(file, 'utf8'));
  const name = text === undefined ? undefined : pattern.exec(text)?.[1]?.trim();
  return name === undefined ? undefined : path.resolve(base, name);
}

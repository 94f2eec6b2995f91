import path from 'node:path';
import type { CommandAsk } from '../command-steps.ts';

/**
 * git as a store of files, and nothing else: a repository of our own outside the project, with the project as its work tree. Nothing in the project's
 * repository is read or written, and no setting of the project or the user changes the bytes: no filters, hooks, monitors, attributes or line
 * endings.
 */

/** `dir`: what is stored of the project for one loop. `root`: the project, or the repository that contains it. */
export type Keep = { readonly dir: string; readonly root: string };

const GIT_TIMEOUT_MS = 180_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/**
 * Blobs above the threshold go straight into a pack: 50,000 small files take 2 s instead of 40. Nothing is compressed, because it is read more often
 * than it is stored.
 */
const SETTINGS = [
  'core.bigFileThreshold=1',
  'core.compression=0',
  'core.fsync=none',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.symlinks=true',
  'core.quotePath=false',
  'core.hooksPath=/dev/null',
  'core.sparseCheckout=false',
  'advice.addEmbeddedRepo=false',
  'gc.auto=0',
];

const GIT = ['git', ...SETTINGS.map((setting) => `-c ${setting}`)].join(' ');

/** Takes precedence over the project's own `.gitattributes`. */
export const ATTRIBUTES = '* -text -ident -filter !eol !working-tree-encoding\n';

export function gitDirOf({ dir }: Keep): string {
  return path.join(dir, 'git');
}

/** `script`: shell lines in which `%git` stands for git; `places` passes paths as variables. */
export function askGit(
  keep: Keep,
  script: string,
  places: Readonly<Record<string, string>>,
  workTree: string = keep.root,
): CommandAsk {
  return {
    command: script.replaceAll('%git', GIT),
    cwd: workTree,
    environment: { ...CLEAN, GIT_DIR: gitDirOf(keep), GIT_WORK_TREE: workTree, ...places },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
}

/** If tireless is called from a git hook, these are set to the caller's repository. */
const CLEAN: Readonly<Record<string, string | undefined>> = {
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
  GIT_CONFIG: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_CONFIG_COUNT: undefined,
  GIT_EXTERNAL_DIFF: undefined,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

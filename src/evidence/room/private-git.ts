import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import { newId } from '../../system/ids.ts';
import type { CommandAsk, Steps } from '../command-steps.ts';

/**
 * git as a store of files, and nothing else: our own repository outside the project, with the project as its work tree. Nothing in the
 * project's repository is read or written, and no setting of the project or the user changes the bytes: no filters, hooks, monitors,
 * attributes or line endings.
 */

/**
 * `dir`: the stored project of one loop. `root`: the project, or the repository that contains it. `objects`: where new objects go after the
 * start; absent = they become part of what is stored.
 */
export type KeptProject = { readonly dir: string; readonly root: string; readonly objects?: string };

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
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.sparseCheckout=false',
  'advice.addEmbeddedRepo=false',
  'gc.auto=0',
];

const GIT = ['git', ...SETTINGS.map((setting) => `-c ${setting}`)].join(' ');

/** Takes precedence over the project's own `.gitattributes`. */
export const ATTRIBUTES = '* -text -ident -filter !eol !working-tree-encoding\n';

export function gitDirOf({ dir }: KeptProject): string {
  return path.join(dir, 'git');
}

/** `script`: shell lines in which `%git` stands for git; `places` passes paths as variables. */
export function askGit(
  keep: KeptProject,
  script: string,
  places: Readonly<Record<string, string>>,
  workTree: string = keep.root,
): CommandAsk {
  return {
    command: script.replaceAll('%git', GIT),
    cwd: workTree,
    environment: { ...CLEAN, ...objectsOf(keep), GIT_DIR: gitDirOf(keep), GIT_WORK_TREE: workTree, ...places },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
}

function objectsOf(keep: KeptProject): Readonly<Record<string, string>> {
  if (keep.objects === undefined) return {};
  const quoted = path.join(gitDirOf(keep), 'objects').replaceAll(/["\\]/g, String.raw`\$&`);
  return { GIT_OBJECT_DIRECTORY: keep.objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${quoted}"` };
}

/** Lets git read what is stored, but not add to it: new objects go to a folder that is removed afterwards. */
export function* withOwnObjects<T>(keep: KeptProject, use: (keep: KeptProject) => Steps<T>): Steps<T> {
  const objects = path.join(keep.dir, `objects-${newId()}`);
  // If the folder of the baseline is missing, git reports that.
  ignoringErrno(() => mkdirSync(objects));
  try {
    return yield* use({ ...keep, objects });
  } finally {
    ignoringErrno(() => rmSync(objects, { recursive: true, force: true }));
  }
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
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

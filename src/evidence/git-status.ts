import { statSync } from 'node:fs';
import path from 'node:path';
import type { CommandAnswer, CommandAsk } from './command-steps.ts';

/** Room for some 100 000 paths; of more only the last are looked at. */
const STATUS_BYTES_MAX = 8 * 1024 * 1024;
const GIT_TIMEOUT_MS = 30_000;

/**
 * Look, and leave no trace: no lock, no refreshed index, no monitor started in the background (and none from the repository's own
 * configuration run). A repository that the caller of tireless named in its environment, as git does for its hooks, is not ours.
 */
const GIT = `${process.platform === 'win32' ? '' : 'unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; exec '}git --no-optional-locks -c core.fsmonitor=false`;
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };

export type GitStatus = {
  /** The commit, or `(initial)`. */
  readonly head: string;
  /** What differs from it, relative to the root of the repository, sorted; whatever the index says about it. */
  readonly paths: readonly string[];
};

/** The directory that holds `.git`, or `undefined`: found without git, so that outside a repository nothing is started. */
export function gitRootOf(directory: string): string | undefined {
  for (let current = directory; ; current = path.dirname(current)) {
    if (statSync(path.join(current, '.git'), { throwIfNoEntry: false }) !== undefined) return current;
    if (current === path.dirname(current)) return undefined;
  }
}

export function askStatus(cwd: string): CommandAsk {
  return gitAsk(cwd, 'status --porcelain=v2 --branch -z --untracked-files=all --no-renames --no-ahead-behind');
}

/** Exit code 0 = the repository around this directory ignores it. */
export function askIgnored(cwd: string): CommandAsk {
  return gitAsk(cwd, 'check-ignore -q .');
}

/** `undefined` = git gave no answer. `.tireless/` is ours and left out. */
export function parseStatus(answer: CommandAnswer): GitStatus | undefined {
  if (answer.timedOut || answer.exitCode !== 0) return undefined;
  let head = '';
  const paths = new Set<string>();
  for (const line of answer.stdoutTail.split('\0')) {
    if (line.startsWith('# branch.oid ')) head = line.slice('# branch.oid '.length);
    const file = pathIn(line);
    if (file !== undefined && !file.split('/').includes('.tireless')) paths.add(file);
  }
  return { head, paths: [...paths].toSorted() };
}

/** How many fields stand in front of the path, by the kind of line. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

function pathIn(line: string): string | undefined {
  const fields = FIELDS[line.slice(0, 1)];
  if (fields === undefined || line[1] !== ' ') return undefined;
  let start = 0;
  for (let field = 0; field < fields; field++) start = line.indexOf(' ', start) + 1;
  return line.slice(start);
}

function gitAsk(cwd: string, what: string): CommandAsk {
  return {
    command: `${GIT} ${what}`,
    cwd,
    environment: ENVIRONMENT,
    tailBytesMax: STATUS_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
}

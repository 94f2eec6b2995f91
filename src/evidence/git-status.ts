import { statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../system/errno.ts';
import type { CommandAnswer, CommandAsk, Steps } from './command-steps.ts';
import { readRegular } from './read-regular.ts';

/** Room for about 100,000 paths; beyond that only the last ones are read. */
const STATUS_BYTES_MAX = 8 * 1024 * 1024;
export const GIT_TIMEOUT_MS = 30_000;
/** If a config file is larger, git itself lists the filters. */
const CONFIG_BYTES_MAX = 1024 * 1024;
/** How many nested repositories are examined. */
const NESTED_MAX = 50;

/**
 * Leaves no trace: no lock, no refreshed index, no monitor started in the background. Nothing named in the repository's own configuration
 * is run: no monitor, hook, filter or transport. A repository named in the caller's environment, as git does for its hooks, is ignored.
 */
const GIT = `${process.platform === 'win32' ? '' : 'unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; exec '}git --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null`;
// No protocol is allowed: objects missing from a partial clone are not fetched.
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', GIT_ALLOW_PROTOCOL: '', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

export type GitStatus = {
  /** The commit, or `(initial)`. */
  readonly head: string;
  /** Paths that differ from it, relative to the root of the repository, sorted; whether or not they are staged. */
  readonly paths: readonly string[];
};

/** The directory that contains `.git`, or `undefined`. Found without git, so that outside a repository no process is started. */
export function gitRootOf(directory: string): string | undefined {
  for (let current = directory; ; current = path.dirname(current)) {
    if (statSync(path.join(current, '.git'), { throwIfNoEntry: false }) !== undefined) return current;
    if (current === path.dirname(current)) return undefined;
  }
}

const READ_BY_GIT = [
  '.gitignore',
  '.gitattributes',
  ...['info/exclude', 'info/attributes', 'config', 'HEAD', 'index'].map((name) => `.git/${name}`),
];
const REFUSED = `echo 'a file that git reads is a pipe' >&2; exit 128`;

/** Is a file that git reads a pipe? git would wait for a writer until it times out. */
export function hasPipe(root: string): boolean {
  return READ_BY_GIT.some((name) => {
    const found = ignoringErrno(() => statSync(path.join(root, name), { throwIfNoEntry: false }));
    return found?.isFIFO() === true;
  });
}

/** `status` is `undefined` when git gave no answer; `answer` has the reason. */
export type StatusReading = { readonly answer: CommandAnswer; readonly status: GitStatus | undefined };

/**
 * What differs from the commit. Nested repositories (submodules) are read separately, because git would use their own configuration. One
 * git command; more only if the repository has its own filters or submodules.
 */
export function* readStatus(cwd: string, depth = 0): Steps<StatusReading> {
  const root = gitRootOf(cwd);
  const filters = root === undefined ? {} : yield* filtersOff(root);
  const answer = yield gitAsk(
    cwd,
    'status --porcelain=v2 --branch -z --untracked-files=all --no-renames --no-ahead-behind --ignore-submodules=dirty',
    filters,
  );
  const status = parseStatus(answer);
  if (status === undefined || root === undefined || depth > 0) return { answer, status };
  const nested = yield* nestedPaths(root);
  return nested.length === 0
    ? { answer, status }
    : { answer, status: { ...status, paths: [...new Set([...status.paths, ...nested])].toSorted() } };
}

const NO_FILTER = { clean: '', smudge: '', process: '', required: 'false' };
const OWN_FILTERS = /filter|include|worktreeconfig/iu;

/** Settings that turn off every filter named by the repository; the user's own filters stay on. */
function* filtersOff(root: string): Steps<Readonly<Record<string, string>>> {
  const read = readRegular(path.join(root, '.git', 'config'), CONFIG_BYTES_MAX);
  const config = read.kind === 'bytes' ? read.bytes.toString('utf8') : undefined;
  // Most repositories have none, which saves a second git command. A linked work tree keeps its configuration elsewhere.
  if (config !== undefined && !OWN_FILTERS.test(config)) return {};
  const answer = yield gitAsk(root, "config --show-scope -z --name-only --get-regexp '^filter\\.'");
  const fields = answer.stdoutTail.split('\0');
  const names = fields.filter((_, index) => index % 2 === 1 && !['global', 'system'].includes(fields[index - 1] ?? ''));
  const drivers = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))))];
  const settings = drivers.flatMap((driver) =>
    Object.entries(NO_FILTER).map(([name, value]) => ({ key: `${driver}.${name}`, value })),
  );
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, { key, value }] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** What differs inside submodules, relative to the root. */
function* nestedPaths(root: string): Steps<readonly string[]> {
  if (statSync(path.join(root, '.gitmodules'), { throwIfNoEntry: false }) === undefined) return [];
  const answer = yield gitAsk(
    root,
    String.raw`config -f .gitmodules --no-includes -z --get-regexp '^submodule\..*\.path$'`,
  );
  const folders = answer.stdoutTail.split('\0').flatMap((line) => {
    const at = line.indexOf('\n');
    return at < 0 ? [] : [line.slice(at + 1)];
  });
  const found: string[] = [];
  for (const folder of folders.slice(0, NESTED_MAX)) {
    const inside = path.join(root, folder);
    if (!inside.startsWith(root + path.sep) || gitRootOf(inside) !== inside) continue;
    const { status } = yield* readStatus(inside, 1);
    found.push(...(status?.paths ?? ['']).map((file) => path.posix.join(folder, file)));
  }
  return found;
}

/** Exit code 0 = the repository around this directory ignores it. */
export function askIgnored(cwd: string): CommandAsk {
  return gitAsk(cwd, 'check-ignore -q .');
}

/** `undefined` = git gave no answer. Leaves out `.tireless/`, which is ours. */
function parseStatus(answer: CommandAnswer): GitStatus | undefined {
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

/** The number of fields before the path, by kind of line. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

function pathIn(line: string): string | undefined {
  const fields = FIELDS[line.slice(0, 1)];
  if (fields === undefined || line[1] !== ' ') return undefined;
  let start = 0;
  for (let field = 0; field < fields; field++) start = line.indexOf(' ', start) + 1;
  return line.slice(start);
}

function gitAsk(cwd: string, what: string, more: Readonly<Record<string, string>> = {}): CommandAsk {
  const root = gitRootOf(cwd);
  return {
    command: root !== undefined && hasPipe(root) ? REFUSED : `${GIT} ${what}`,
    cwd,
    environment: { ...ENVIRONMENT, ...more },
    tailBytesMax: STATUS_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
}

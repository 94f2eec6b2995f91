import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { newId } from '../../system/ids.ts';
import type { Steps } from '../command-steps.ts';
import { GIT_TIMEOUT_MS } from '../git-status.ts';
import { DEPENDENCIES } from '../judge/classify.ts';
import type { FileEntry, FileList } from './file-list.ts';
import { parseList } from './file-list.ts';
import type { KeptProject } from './private-git.ts';
import { askGit } from './private-git.ts';
import type { Lack, Work } from './read-work.ts';
import { isLack, lackOf, NESTED_DEPTH_MAX, NESTED_MAX } from './read-work.ts';

const OUTPUT_BYTES_MAX = 4 * 1024;

/** The project's own repository, for reading: none of its hooks, filters or monitors run, nothing is fetched, and nothing is replaced. */
export const PROJECT_GIT =
  'unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM; GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1 git --no-optional-locks -c core.fsmonitor=false -C "$REPOSITORY"';

/** The commit that a name refers to in the repository around the project; `null` = there is none. */
export function commitOf(repository: string, rev: string): Steps<string | null> {
  return resolveName(repository, `${rev}^{commit}`);
}

function* resolveName(repository: string, name: string): Steps<string | null> {
  const answer = yield {
    command: `${PROJECT_GIT} rev-parse --verify --quiet --end-of-options "$NAME"`,
    cwd: repository,
    environment: { REPOSITORY: repository, NAME: name, LC_ALL: 'C' },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
  const found = answer.stdoutTail.trim();
  return answer.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(found) ? found : null;
}

/**
 * The files of a commit of the project, as `readWork` lists those of the work tree; afterwards their bytes are in our objects. The pack is read by
 * `index-pack`, which computes every hash itself: an object stored under a wrong name in the project is refused.
 */
export function* readCommit(keep: KeptProject, commit: string): Steps<Work | Lack> {
  const files = yield* listCommit(keep, { repository: keep.root, commit, under: '', depth: 0 });
  return isLack(files) ? files : { kind: 'work', files, ignored: [], links: [], unindexed: [] };
}

type CommitPart = {
  readonly repository: string;
  readonly commit: string;
  readonly under: string;
  readonly depth: number;
};

function* listCommit(keep: KeptProject, { repository, commit, under, depth }: CommitPart): Steps<FileList | Lack> {
  const index = path.join(keep.dir, `index-${newId()}`);
  const places = { GIT_INDEX_FILE: index, LIST: `${index}.list`, PACK: `${index}.pack` };
  const script = [
    `printf '%s\\n' "$TREE" | (${PROJECT_GIT} pack-objects -q --revs --stdout) > "$PACK" || exit $?`,
    '%git index-pack --stdin < "$PACK" > "$LIST" || exit $?',
    '%git read-tree "$TREE" || exit $?',
    '%git ls-files --stage -z > "$LIST"',
  ].join('\n');
  try {
    const tree = yield* resolveName(repository, `${commit}^{tree}`);
    if (tree === null) return { kind: 'lack', why: 'not-readable', detail: `${under || 'the commit'} is not there` };
    const answer = yield askGit(keep, script, { ...places, REPOSITORY: repository, TREE: tree });
    if (answer.exitCode !== 0) return lackOf(answer);
    return yield* withNested(keep, readFileSync(places.LIST, 'utf8'), { repository, commit, under, depth });
  } finally {
    for (const file of [index, `${index}.lock`, places.LIST, places.PACK]) rmSync(file, { force: true });
  }
}

/** A commit only names the commits of nested repositories; their files are in those repositories. */
function* withNested(
  keep: KeptProject,
  list: string,
  { repository, under, depth }: CommitPart,
): Steps<FileList | Lack> {
  const { files, nested } = parseList(list, under);
  const all = new Map<string, FileEntry>([...files].filter(([file]) => !isLeftOut(file)));
  if (depth >= NESTED_DEPTH_MAX) return all;
  for (const folder of nested.slice(0, NESTED_MAX)) {
    const inside = yield* listCommit(keep, {
      repository: path.join(repository, folder.slice(under.length)),
      commit: commitIn(list, folder.slice(under.length)),
      under: `${folder}/`,
      depth: depth + 1,
    });
    if (isLack(inside)) return inside;
    for (const [file, entry] of inside) all.set(file, entry);
  }
  return all;
}

function commitIn(list: string, folder: string): string {
  const line = list.split('\0').find((candidate) => candidate.endsWith(`\t${folder}`));
  return line?.split(' ')[1] ?? '';
}

/** Also left out of the work tree, even if a repository tracks them: our own files, and dependencies. */
export function isLeftOut(file: string): boolean {
  const at = `/${file}`;
  return (
    at.includes('/.tireless/') ||
    DEPENDENCIES.some(({ folder, marker }) => marker === undefined && at.includes(`/${folder}/`))
  );
}

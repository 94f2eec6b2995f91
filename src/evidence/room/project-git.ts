/** Settings of the project's own repository that affect files, read once at the start; without any, nothing is added. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newId } from '../../system/ids.ts';
import type { CommandAsk, Steps } from '../command-steps.ts';
import type { KeptProject } from './private-git.ts';
import { GIT_TIMEOUT_MS, hasPipe } from '../git-status.ts';
import { askGit } from './private-git.ts';
import { isLeftOut, PROJECT_GIT } from './read-commit.ts';

const OUTPUT_BYTES_MAX = 16 * 1024;

/** Files that list ignored paths: those of the repository, which a linked work tree keeps elsewhere, and those of the user. */
export function* ignoreFiles({ root }: KeptProject, fallback: readonly string[]): Steps<readonly string[]> {
  if (!existsSync(path.join(root, '.git')) || hasPipe(root)) return fallback;
  const answer = yield askProject(
    root,
    `${PROJECT_GIT} rev-parse --path-format=absolute --git-path info/exclude && { git -C "$REPOSITORY" config --get --type=path core.excludesFile || :; }`,
  );
  const [exclude, ...ofUser] = answer.stdoutTail.split('\n').filter((line) => line !== '');
  return answer.exitCode === 0 && exclude !== undefined ? [exclude, ...fallback, ...ofUser] : fallback;
}

/** A file may be both tracked and ignored, and a commit then contains it. It is added to our index, where it stays. */
export function* addTrackedIgnored(keep: KeptProject, index: string): Steps<void> {
  if (!existsSync(path.join(keep.root, '.git')) || hasPipe(keep.root)) return;
  const list = path.join(keep.dir, `tracked-${newId()}`);
  try {
    const { exitCode } = yield askProject(
      keep.root,
      `{ ${PROJECT_GIT} ls-files --cached --ignored --exclude-standard -z; } > "$LIST"`,
      { LIST: list },
    );
    if (exitCode !== 0) return;
    const names = readFileSync(list, 'latin1').split('\0');
    const added = names.filter((name) => name !== '' && !isLeftOut(name));
    if (added.length === 0) return;
    writeFileSync(list, added.map((name) => `${name}\0`).join(''), 'latin1');
    yield askGit(keep, '%git update-index --add --remove -z --stdin < "$LIST"', { LIST: list, GIT_INDEX_FILE: index });
  } finally {
    rmSync(list, { force: true });
  }
}

function askProject(root: string, command: string, places: Readonly<Record<string, string>> = {}): CommandAsk {
  return {
    command,
    cwd: root,
    environment: { REPOSITORY: root, LC_ALL: 'C', ...places },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: GIT_TIMEOUT_MS,
  };
}

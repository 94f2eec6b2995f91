import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { newId } from '../../system/ids.ts';
import type { Steps } from '../command-steps.ts';
import type { Judge } from '../judge/classify.ts';
import { readRegular } from '../read-regular.ts';
import { outwardLinks } from './linked-folders.ts';
import { namesProject } from './paths-out.ts';
import type { KeptProject } from './private-git.ts';
import { askGit } from './private-git.ts';
import type { Work } from './read-work.ts';

const TEXT_BYTES_MAX = 1024 * 1024;
/** Files in nested repositories and behind links are read one by one. */
const BEHIND_MAX = 5000;

type LooksFrom = { readonly keep: KeptProject; readonly home: string };
type Known = { readonly judge: Judge; readonly texts: Readonly<Record<string, string>> };

/**
 * A judge's file that points back into the project: it names the project's path, or is a link to something that no commit contains. Even in
 * the room, the agent could edit what judges the work. Files that the checks call are read closely; all others are searched for the literal
 * path.
 */
export function* findLeadingOut(
  { keep, home }: LooksFrom,
  { files, unindexed }: Pick<Work, 'files' | 'unindexed'>,
  { judge, texts }: Known,
): Steps<string | undefined> {
  const { root } = keep;
  const isJudges = (file: string): boolean => judge.roleOf(file) !== undefined || judge.isMixed(file);
  const link = outwardLinks(root, files).find((file) => isJudges(file) || isJudges(`${file}/x`));
  if (link !== undefined) return link;
  const called = Object.entries(texts).find(([file, text]) => isJudges(file) && namesProject(text, { root, home }));
  if (called !== undefined) return called[0];
  const behind = [...files.keys()].filter((file) => unindexed.some((folder) => file.startsWith(`${folder}/`)));
  const found = [...(yield* filesWith(keep, root)), ...behind.slice(0, BEHIND_MAX)];
  const speaking = found.filter((file) => SPEAKS.has(judge.roleOf(file)) || judge.isMixed(file));
  return speaking.find((file) => namesProject(readText(path.join(root, file)), { root, home }));
}

/** Fixtures and snapshots are compared, not followed. */
const SPEAKS: ReadonlySet<string | undefined> = new Set(['test', 'config', 'script', 'protected', 'shadow']);

function readText(file: string): string {
  const read = readRegular(file, TEXT_BYTES_MAX);
  return read.kind === 'bytes' ? read.bytes.toString('utf8') : '';
}

function* filesWith(keep: KeptProject, text: string): Steps<readonly string[]> {
  const index = path.join(keep.dir, 'index');
  const found = path.join(keep.dir, `found-${newId()}`);
  if (!existsSync(index)) return [];
  try {
    yield askGit(keep, '%git grep --cached -l -z -I -F -e "$TEXT" > "$FOUND"', {
      GIT_INDEX_FILE: index,
      TEXT: text,
      FOUND: found,
    });
    return readFileSync(found, 'utf8')
      .split('\0')
      .filter((file) => file !== '');
  } finally {
    rmSync(found, { force: true });
  }
}

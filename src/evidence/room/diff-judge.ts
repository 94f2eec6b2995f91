import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RoomBaseline } from '../../core/room.ts';
import { newId } from '../../system/ids.ts';
import { readStart } from '../../system/scratch.ts';
import type { Steps } from '../command-steps.ts';
import { findWork, keepOf } from './clean-room.ts';
import { judgeChanges } from './compose-room.ts';
import type { FileList } from './file-list.ts';
import { listHash, listText } from './file-list.ts';
import type { Material, RoomSite } from './furnish.ts';
import type { KeptProject } from './private-git.ts';
import { askGit, withOwnObjects } from './private-git.ts';
import type { Lack } from './read-work.ts';
import { isLack, lackOf } from './read-work.ts';

const DIFF_BYTES_MAX = 256 * 1024;

/** `work`: the hash of the work that the diff shows. */
export type JudgeDiff = { readonly kind: 'diff'; readonly work: string; readonly text: string };

/**
 * How the judge's files changed since the baseline, as a git diff: from our own objects, whole files, and as text whatever the project's attributes
 * say about them.
 */
export function* diffJudge(site: RoomSite, baseline: RoomBaseline): Steps<JudgeDiff | Lack> {
  return yield* withOwnObjects(yield* keepOf(site), function* (keep) {
    const found = yield* findWork(site, keep, { baseline });
    if (isLack(found)) return found;
    const { material, files } = found;
    const text = yield* diffOf(keep, material);
    return isLack(text) ? text : { kind: 'diff', work: listHash(files), text: text.text };
  });
}

function* diffOf(keep: KeptProject, material: Material): Steps<{ readonly text: string } | Lack> {
  const paths = new Set(judgeChanges(material, material.textOf).map((change) => change.path));
  if (paths.size === 0) return { text: '' };
  const index = path.join(keep.dir, `index-${newId()}`);
  const places = { BEFORE: `${index}.before`, AFTER: `${index}.after`, OUT: `${index}.out` };
  writeFileSync(places.BEFORE, listText(filesAt(material.baseline, paths)));
  writeFileSync(places.AFTER, listText(filesAt(material.work, paths)));
  const script = [
    `before=$(${treeOf('BEFORE')}) || exit $?`,
    `after=$(${treeOf('AFTER')}) || exit $?`,
    // With the threshold of our other commands, git would treat every file as binary.
    '%git -c core.bigFileThreshold=50m diff-tree -p -r --text --no-renames --no-color --no-ext-diff --no-textconv "$before" "$after" > "$OUT"',
  ].join('\n');
  try {
    const answer = yield askGit(keep, script, { GIT_INDEX_FILE: index, ...places });
    return answer.exitCode === 0 ? { text: readStart(places.OUT, DIFF_BYTES_MAX) ?? '' } : lackOf(answer);
  } finally {
    for (const file of [index, `${index}.lock`, ...Object.values(places)]) rmSync(file, { force: true });
  }
}

/** Prints the tree of the files in a list; `variable` names the variable with its path. */
function treeOf(variable: string): string {
  return `rm -f "$GIT_INDEX_FILE"; %git update-index -z --index-info < "$${variable}" && %git write-tree`;
}

function filesAt(files: FileList, paths: ReadonlySet<string>): FileList {
  return new Map([...files].filter(([file]) => paths.has(file)));
}

import type { JudgeChange } from '../../core/room.ts';
import type { Judge } from '../judge/classify.ts';
import { isOnlyTests } from '../judge/classify.ts';
import { withJudgeParts } from '../judge/parts.ts';
import type { FileEntry, FileList } from './file-list.ts';
import { isSameEntry, LINK_MODE, withoutObstacles } from './file-list.ts';

/**
 * - `judged`: only the judge's files of the baseline
 * - `with-added`: also the tests that the agent added
 * - `as-left`: everything as the agent left it
 */
export type RoomMode = 'judged' | 'with-added' | 'as-left';

export type Versions = { readonly baseline: FileList; readonly work: FileList; readonly judge: Judge };

/** Which files are in the room, before texts that product and judge share are combined. */
export function composeRoom({ baseline, work, judge }: Versions, mode: RoomMode): FileList {
  const files = new Map<string, FileEntry>();
  const wins: string[] = [];
  const crates = newCrates(baseline, work);
  for (const [file, entry] of work) {
    if (judge.isGenerated(file) || judge.isDependency(file)) continue;
    const role = judge.roleOf(file);
    if (role === undefined || mode === 'as-left') files.set(file, entry);
    else if (baseline.has(file) || !isOnlyTests(role)) continue;
    else if (mode === 'with-added' || isSourceOf(crates, file)) files.set(file, entry);
  }
  if (mode === 'as-left') return files;
  for (const [file, entry] of baseline) {
    if (judge.isGenerated(file) || judge.isDependency(file)) continue;
    const isJudges = judge.roleOf(file) !== undefined || (judge.isMixed(file) && !work.has(file));
    if (!isJudges) continue;
    files.set(file, entry);
    wins.push(file);
  }
  return withoutObstacles(files, wins);
}

/** Folders of Rust packages that the agent added. Manifests name them, so without them nothing is built, whatever the folder is called. */
function newCrates(baseline: FileList, work: FileList): readonly string[] {
  const folders = [...work.keys()]
    .filter((file) => file.endsWith('/Cargo.toml') && !baseline.has(file))
    .map((file) => file.slice(0, file.lastIndexOf('/') + 1));
  if (folders.length === 0) return [];
  const old = [...baseline.keys()];
  return folders.filter((folder) => !old.some((file) => file.startsWith(folder)));
}

/** Only what the compiler reads: another file there could be a test for another runner. */
function isSourceOf(crates: readonly string[], file: string): boolean {
  return crates.some(
    (folder) =>
      file.startsWith(folder) && /^(?:Cargo\.toml|build\.rs|src\/.{1,400}\.rs)$/.test(file.slice(folder.length)),
  );
}

/** Files that product and judge share, and that differ: in the room, their text is combined from both. */
export function mixedFiles({ baseline, work, judge }: Versions): readonly string[] {
  const all = new Set([...baseline.keys(), ...work.keys()]);
  const isShared = (file: string): boolean =>
    judge.isMixed(file) || (judge.mayHoldTests(file) && isText(baseline.get(file)) && isText(work.get(file)));
  return [...all].filter((file) => !isSameEntry(baseline.get(file), work.get(file)) && isShared(file));
}

function isText(entry: FileEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== LINK_MODE;
}

/** The agent's changes to the judge's files. Added tests do not count: they cannot make another test pass. */
export function judgeChanges(versions: Versions, textOf: TextOf): readonly JudgeChange[] {
  const { baseline, work, judge } = versions;
  const changes: JudgeChange[] = [];
  for (const file of new Set([...baseline.keys(), ...work.keys()])) {
    const role = judge.roleOf(file);
    const [before, after] = [baseline.get(file), work.get(file)];
    if (role === undefined || judge.isGenerated(file) || isSameEntry(before, after)) continue;
    if (before === undefined && isOnlyTests(role)) continue;
    changes.push({
      path: file,
      change: before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified',
    });
  }
  return [...changes, ...mixedFiles(versions).flatMap((file) => partChanges(file, textOf, judge))].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

/** The text of one file, at the baseline or now; `undefined` if the file is missing. */
export type TextOf = (file: string, version: 'baseline' | 'work') => string | undefined;

function partChanges(file: string, textOf: TextOf, judge: Judge): readonly JudgeChange[] {
  const work = textOf(file, 'work');
  const options = { keepAdded: false, aliases: judge.aliasesIn(file) };
  const { changed } = withJudgeParts(file, work, textOf(file, 'baseline'), options);
  return changed.map((part) => ({ path: file, change: work === undefined ? 'deleted' : 'modified', part }));
}

/** Has the agent added anything that a second run could include? */
export function hasAdded({ baseline, work, judge }: Versions, textOf: TextOf): boolean {
  for (const file of work.keys()) {
    const role = baseline.has(file) ? undefined : judge.roleOf(file);
    if (role !== undefined && isOnlyTests(role)) return true;
  }
  return mixedFiles({ baseline, work, judge }).some(
    (file) => withJudgeParts(file, textOf(file, 'work'), textOf(file, 'baseline')).added.length > 0,
  );
}

import type { Sign } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import type { BaselineFile, FileChange } from '../signs/find-signs.ts';
import { findSigns, isReadable } from '../signs/find-signs.ts';
import { fixedNameSigns, isShell } from '../signs/shell-names.ts';
import { COVERAGE, silencedSigns } from '../signs/silenced.ts';
import { isManifest } from '../signs/test-tool.ts';
import type { FileEntry } from './file-list.ts';
import { isSameEntry, LINK_MODE } from './file-list.ts';
import type { Material } from './furnish.ts';
import { readBlobs, readSizes } from './read-work.ts';

const FILES_MAX = 2000;
const BYTES_MAX = 16 * 1024 * 1024;
const HABIT_FILES_MAX = 300;
const MANIFESTS_MAX = 50;
const SHELL_TEST = /(?:\.(?:sh|bash|bats|zsh|ksh)|(?:^|\/)[^./]+)$/;
/** Where runners are told to require coverage, and how. */
const SETTINGS =
  /(?:^|\/)(?:pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini|\.coveragerc|package\.json|\.?(?:jest|vitest|vite|nyc|c8)(?:\.config\.\w+|rc(?:\.\w+)?))$/;
const MEASURES = /--cov\b|\bfail_under\b|\bcoverageThreshold\b|\bthresholds?\b|\bcheck-?coverage\b/i;

/** `unread`: changed product files without any line in `files`, because there is too much to read or they are links. */
export type Changes = { readonly files: readonly FileChange[]; readonly unread: readonly string[] };

/** What the agent changed in product code and tests, as far as it can be read. */
export function* readChanges(material: Material): Steps<Changes> {
  const all = changedFiles(material);
  const changed = all.slice(0, FILES_MAX);
  const blobs = yield* readTexts(
    material,
    changed.flatMap(({ before, after }) => [after, before]),
  );
  const textOf = (entry: FileEntry | undefined): string | undefined =>
    entry === undefined ? undefined : blobs.get(entry.blob);
  const files = changed.flatMap(({ path, before, after }): FileChange[] => {
    const isMissing = [before, after].some((entry) => entry !== undefined && !blobs.has(entry.blob));
    const isTest = material.judge.roleOf(path) === 'test';
    return isMissing ? [] : [{ path, isTest, before: textOf(before), after: textOf(after) }];
  });
  const read = new Set(files.filter(({ after }) => after !== undefined).map((file) => file.path));
  const unread = all.filter(({ path }) => !read.has(path) && isProduct(material, path)).map(({ path }) => path);
  return { files, unread };
}

function isProduct({ work, judge }: Material, path: string): boolean {
  return work.has(path) && judge.roleOf(path) !== 'test';
}

export function* signsOf(material: Material, changes: readonly FileChange[]): Steps<readonly Sign[]> {
  return [
    ...(yield* tamperingSigns(material, changes)),
    ...(yield* silenced(material, changes)),
    ...(yield* fixedNames(material, changes)),
  ];
}

/** Only if a shell script of the product changed. */
function* fixedNames(material: Material, changes: readonly FileChange[]): Steps<readonly Sign[]> {
  if (!changes.some(({ path, isTest }) => !isTest && isShell(path))) return [];
  const { judge, baseline } = material;
  const isTest = (path: string): boolean => ['test', 'script'].includes(judge.roleOf(path) ?? '');
  const tests = [...baseline].filter(([path, { mode }]) => mode !== LINK_MODE && SHELL_TEST.test(path) && isTest(path));
  const texts = yield* readTexts(
    material,
    tests.slice(0, HABIT_FILES_MAX).map(([, entry]) => entry),
  );
  return fixedNameSigns(changes, [...texts.values()]);
}

/** The settings of the runners are read only if it matters whether they measure coverage. */
function* silenced(material: Material, changes: readonly FileChange[]): Steps<readonly Sign[]> {
  const { judge, baseline } = material;
  const others = silencedSigns(changes, (tool) => judge.runs(tool));
  if (judge.runs(COVERAGE) || silencedSigns(changes, (tool) => tool === COVERAGE).length === 0) return others;
  const settings = [...baseline].filter(([path, { mode }]) => SETTINGS.test(path) && mode !== LINK_MODE);
  const texts = yield* readTexts(
    material,
    settings.slice(0, MANIFESTS_MAX).map(([, entry]) => entry),
  );
  const isMeasured = [...texts.values()].some((text) => MEASURES.test(text));
  return isMeasured ? silencedSigns(changes, (tool) => tool === COVERAGE || judge.runs(tool)) : others;
}

/** Signs in these changes. The rest of the project is read only if there is one: the project may do the same elsewhere. */
function* tamperingSigns(material: Material, changes: readonly FileChange[]): Steps<readonly Sign[]> {
  const signs = findSigns(changes);
  if (signs.every(({ path }) => changes.some((change) => change.isTest && change.path === path))) return signs;
  return findSigns(changes, yield* baselineFiles(material));
}

type Changed = { readonly path: string; readonly before: FileEntry | undefined; readonly after: FileEntry | undefined };

/** Product code and tests. Files that existed before come first, so that many new files cannot hide them. */
function changedFiles({ baseline, work, judge }: Material): readonly Changed[] {
  const isOther = (path: string): boolean => {
    const role = judge.roleOf(path);
    return (role !== undefined && role !== 'test') || judge.isGenerated(path) || judge.isDependency(path);
  };
  return [...new Set([...baseline.keys(), ...work.keys()])]
    .filter((path) => isReadable(path) && !isSameEntry(baseline.get(path), work.get(path)) && !isOther(path))
    .map((path) => ({ path, before: plain(baseline.get(path)), after: plain(work.get(path)) }));
}

function* baselineFiles(material: Material): Steps<readonly BaselineFile[]> {
  const { baseline, judge } = material;
  const files = [...baseline].filter(([, { mode }]) => mode !== LINK_MODE);
  const manifests = files.filter(([path]) => isManifest(path)).slice(0, MANIFESTS_MAX);
  const product = files
    .filter(([path]) => isReadable(path) && judge.roleOf(path) === undefined && !judge.isDependency(path))
    .slice(0, HABIT_FILES_MAX);
  const known = [...manifests, ...product];
  const blobs = yield* readTexts(
    material,
    known.map(([, entry]) => entry),
  );
  return known.flatMap(([path, { blob }]) => {
    const text = blobs.get(blob);
    return text === undefined ? [] : [{ path, text }];
  });
}

function plain(entry: FileEntry | undefined): FileEntry | undefined {
  return entry?.mode === LINK_MODE ? undefined : entry;
}

/** Texts by blob, as far as they fit; the small ones first. */
export function* readTexts(
  { keep, read }: Material,
  entries: readonly (FileEntry | undefined)[],
): Steps<ReadonlyMap<string, string>> {
  const blobs = new Set(entries.flatMap((entry) => (entry === undefined ? [] : [entry.blob])));
  const known = [...read].filter(([blob]) => blobs.has(blob));
  const others = yield* readSizes(
    keep,
    [...blobs].filter((blob) => !read.has(blob)),
  );
  const sizes = [...known.map(([blob, bytes]) => [blob, bytes.length] as const), ...others];
  let left = BYTES_MAX;
  const fitting = new Set(
    sizes
      .toSorted(([, a], [, b]) => a - b)
      .filter(([, size]) => (left -= size) >= 0)
      .map(([blob]) => blob),
  );
  const found = yield* readBlobs(
    keep,
    [...others.keys()].filter((blob) => fitting.has(blob)),
  );
  return new Map(
    [...known, ...found].flatMap(([blob, bytes]) => (fitting.has(blob) ? [[blob, bytes.toString('utf8')]] : [])),
  );
}

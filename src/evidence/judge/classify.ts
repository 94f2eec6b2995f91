import { matchesPath, parseGlob } from '../glob.ts';
import { followCommands } from './called-files.ts';
import type { CalledFiles } from './called-files.ts';
import type { DependencyRule, FileRole, FileRule } from './ecosystem.ts';
import { mayHaveInlineTests } from './inline-tests.ts';
import { foldersOf, indexPatterns, partsOf } from './path-index.ts';
import type { PathIndex } from './path-index.ts';
import { ECOSYSTEMS } from './registry.ts';
import { findStandIns } from './stand-ins.ts';
import type { TestData } from './test-data.ts';
import type { Helpers } from './test-helpers.ts';

/** `script`: run by a check. `protected`: named by the user. */
export type JudgeRole = FileRole | 'script' | 'protected';

export type JudgeRequest = {
  /** The shell commands of the checks. */
  readonly commands: readonly string[];
  /** Where the checks run and where the user's patterns begin, relative to the root of the repository; empty = the root. */
  readonly at?: string;
  /** Every path of the baseline, with slashes, relative to the root of the repository. */
  readonly paths: readonly string[];
  /** Patterns of the user: additional judge's files. */
  readonly protect: readonly string[];
  /** Patterns of the user: not the judge's, whatever the other rules say. */
  readonly free: readonly string[];
  /** Patterns of the user: reports that checks write. */
  readonly reports?: readonly string[];
  /** Modules outside test folders that only tests use. */
  readonly helpers?:
    | (Pick<Helpers, 'files' | 'aliases' | 'data' | 'config'> & Partial<Pick<Helpers, 'packages'>>)
    | undefined;
  /** The text of a file of the baseline; `undefined` = there is no such file. */
  readonly readText: (path: string) => string | undefined;
};

export type Judge = {
  /** Why a path belongs to the judge, whether it was in the baseline or added since. `undefined`: it is the product's, or shared (`isMixed`). */
  roleOf(path: string): JudgeRole | undefined;
  /** Shared by product and judge: `withJudgeParts` produces its text for a room. */
  isMixed(path: string): boolean;
  /** Product code that may have tests inside: those of the baseline stay in a room. */
  mayHoldTests(path: string): boolean;
  /** For a shared `package.json`: keys of `imports` that belong to the judge. */
  aliasesIn(path: string): readonly string[];
  /** Written by runners: never a change, and not copied into a room. */
  isGenerated(path: string): boolean;
  /** Does a check mention this program or option, itself or in a script that it calls? */
  runs(program: string): boolean;
  /** In a dependency folder: the room gets it as it was at the baseline. */
  isDependency(path: string): boolean;
};

/** The first that applies wins. A fixture may look like anything; a shadow in a test folder is still a shadow. */
const PRECEDENCE: readonly FileRole[] = ['fixture', 'shadow', 'config', 'snapshot', 'test'];
const TEST_FOLDER = /(?:^|\/)tests?$/;

const FILE_RULES: PathIndex<FileRule> = indexPatterns(
  ECOSYSTEMS.flatMap(({ files }) => files.map((rule) => ({ glob: rule.glob, value: rule }))),
);
const EXCEPTIONS: ReadonlyMap<FileRule, PathIndex<true>> = new Map(
  ECOSYSTEMS.flatMap(({ files }) => files)
    .filter((rule) => rule.except !== undefined)
    .map((rule) => [rule, indexPatterns((rule.except ?? []).map((glob) => ({ glob, value: true })))]),
);
const GENERATED: PathIndex<true> = indexPatterns(
  ECOSYSTEMS.flatMap(({ generated }) => generated.map((glob) => ({ glob, value: true }))),
);
const MIXED: PathIndex<true> = indexPatterns(
  ECOSYSTEMS.flatMap(({ parts }) => parts.map(({ glob }) => ({ glob, value: true }))),
);
/** Folders that are copied into a room as they were at the baseline. */
export const DEPENDENCIES: readonly DependencyRule[] = ECOSYSTEMS.flatMap(({ dependencies }) => dependencies);

/** Which files judge the work. Computed once per baseline; 50,000 paths take well under a second. */
export function judgeOf(request: JudgeRequest): Judge {
  const { commands, at = '', paths, protect, free, reports = [], helpers, readText } = request;
  const known = new Set(paths);
  const called = followCommands(commands, { paths: known, readText }, at);
  const freed = indexPatterns(patternsAt(at, free).map((glob) => ({ glob, value: true })));
  const protectedPaths = indexPatterns(patternsAt(at, protect).map((glob) => ({ glob, value: true })));
  const reported = indexPatterns(patternsAt(at, reports).map((glob) => ({ glob, value: true })));
  const isWritten = remembering(
    (path: string): boolean => GENERATED.find(path).length > 0 || reported.find(path).length > 0,
  );
  const helperFiles = new Set(helpers?.files);
  const configFiles = new Set(helpers?.config);
  const testFolders = foldersWithTests(paths);
  const dependencyFolders = markedFolders(paths);
  const isDependency = (path: string): boolean => dependencyAt(path, dependencyFolders) !== undefined;
  const tableRole = remembering((path: string): FileRole | undefined => {
    const start = dependencyAt(path, dependencyFolders);
    if (start === undefined) return roleByTables(path, called, testFolders);
    // A test fixture may have dependencies of its own.
    const owner = start === 0 ? undefined : roleByTables(`${path.slice(0, start)}x`, called, testFolders);
    return owner === 'fixture' || owner === 'test' ? owner : 'shadow';
  });
  const naturalRole = (path: string): JudgeRole | undefined => {
    const role = tableRole(path);
    if (role !== 'shadow' && isWritten(path)) return undefined;
    if (role !== undefined) return role;
    if (configFiles.has(path)) return 'config';
    if (helperFiles.has(path)) return 'test';
    return (
      calledRole(path, called) ??
      dataRole(path, helpers?.data ?? {}) ??
      (protectedPaths.find(path).length > 0 ? 'protected' : undefined)
    );
  };
  const isFree = (path: string): boolean => freed.find(path).length > 0;
  const isJudges = (path: string): boolean => !isFree(path) && naturalRole(path) !== undefined;
  const standsIn = findStandIns({ paths: known, isJudges, packages: helpers?.packages ?? [], at, readText });
  const isMixed = remembering(
    (path: string): boolean =>
      MIXED.find(path).length > 0 && !isFree(path) && naturalRole(path) === undefined && !standsIn(path),
  );
  const isOwned = (path: string): boolean => !isFree(path) && (naturalRole(path) !== undefined || isMixed(path));
  // A link or a file that replaces a folder hides everything in that folder.
  const replaced = replacedFolders(paths, isOwned);
  const isShadow = (path: string): boolean => replaced(path) || (!isWritten(path) && standsIn(path));
  return {
    roleOf: remembering((path) =>
      isFree(path) ? undefined : (naturalRole(path) ?? (isShadow(path) ? 'shadow' : undefined)),
    ),
    isMixed,
    mayHoldTests: (path) => mayHaveInlineTests(path) && !isFree(path) && naturalRole(path) === undefined,
    aliasesIn: (path) => helpers?.aliases[path] ?? [],
    isGenerated: remembering((path) => isWritten(path) && tableRole(path) !== 'shadow'),
    runs: (program) => called.mentions.has(program),
    isDependency: remembering(isDependency),
  };
}

/** One look at a room queries each path several times: with 50,000 paths that took most of our own time. */
function remembering<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (path) => {
    const found = known.get(path) ?? { value: find(path) };
    known.set(path, found);
    return found.value;
  };
}

/** Can an added file of this role only add tests? Others could change how the judge's own files are run. */
export function isOnlyTests(role: JudgeRole): boolean {
  return role === 'test' || role === 'fixture' || role === 'snapshot';
}

/** The user's patterns start at the project, which may be a part of a repository. */
export function patternsAt(at: string, patterns: readonly string[]): readonly string[] {
  return at === '' ? patterns : patterns.map((pattern) => `${at}/${pattern.replace(/^\/+/u, '')}`);
}

/** The user's patterns that match no path. Patterns that lead out of the project are ignored. */
export function unmatchedPatterns(patterns: readonly string[], paths: readonly string[]): readonly string[] {
  const open = new Map(patterns.map((pattern) => [pattern, parseGlob(pattern).filter((glob) => glob.up === 0)]));
  for (const [pattern, globs] of open) if (globs.length === 0) open.delete(pattern);
  for (const path of paths) {
    if (open.size === 0) break;
    const parts = partsOf(path);
    for (const [pattern, globs] of open) if (globs.some((glob) => matchesPath(glob, parts))) open.delete(pattern);
  }
  return [...open.keys()];
}

function roleByTables(path: string, called: CalledFiles, testFolders: ReadonlySet<string>): FileRole | undefined {
  const roles = new Set(
    FILE_RULES.find(path)
      .filter((rule) => rule.when === undefined || rule.when.some((program) => called.mentions.has(program)))
      .filter((rule) => rule.amongTests !== true || isAmongTests(path, testFolders))
      .filter((rule) => (EXCEPTIONS.get(rule)?.find(path).length ?? 0) === 0)
      .map((rule) => rule.role),
  );
  return PRECEDENCE.find((role) => roles.has(role));
}

function calledRole(path: string, called: CalledFiles): JudgeRole | undefined {
  if (called.scripts.has(path)) return 'script';
  if (called.tests.has(path)) return 'test';
  if (standsForTarget(path, called)) return 'shadow';
  return foldersOf(path)
    .map((folder) => called.folders.get(folder))
    .find((role) => role !== undefined);
}

function dataRole(path: string, data: TestData): JudgeRole | undefined {
  const named = Object.hasOwn(data, path) ? data[path] : undefined;
  const folder = foldersOf(path).find((each) => Object.hasOwn(data, `${each}/`));
  return named ?? (folder === undefined ? undefined : 'fixture');
}

/** A file that make could build anew is older than its sources in a room; a folder never is. */
function standsForTarget(path: string, { targets }: CalledFiles): boolean {
  return targets.get(path)?.needs === false || (targets.size > 0 && foldersOf(path).some((each) => targets.has(each)));
}

/** Folders that contain a file named like a test, at any depth. */
function foldersWithTests(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const isNamed = FILE_RULES.find(path).some((rule) => rule.role === 'test' && !rule.glob.endsWith('/**'));
    if (isNamed) for (const folder of foldersOf(path)) folders.add(folder);
  }
  return folders;
}

/** Was this path a folder with judge's files at the baseline? */
function replacedFolders(paths: readonly string[], isOwned: (path: string) => boolean): (path: string) => boolean {
  const folders = new Set(paths.flatMap(foldersOf));
  let owned: ReadonlySet<string> | undefined;
  return (path) => {
    if (!folders.has(path)) return false;
    owned ??= new Set(paths.filter(isOwned).flatMap(foldersOf));
    return owned.has(path);
  };
}

function isAmongTests(path: string, testFolders: ReadonlySet<string>): boolean {
  return foldersOf(path).some((folder) => TEST_FOLDER.test(folder) && testFolders.has(folder));
}

/** Dependency folders that are recognised by a file in them, as `prefix/vendor/`. */
function markedFolders(paths: readonly string[]): ReadonlySet<string> {
  const marked = DEPENDENCIES.flatMap(({ folder, marker }) =>
    marker === undefined ? [] : [{ folder, globs: parseGlob(`**/${folder}/${marker}`) }],
  );
  const folders = new Set<string>();
  for (const path of paths) {
    for (const { folder, globs } of marked) {
      if (!path.includes(`${folder}/`) || !globs.some((glob) => matchesPath(glob, partsOf(path)))) continue;
      folders.add(`${path.slice(0, path.lastIndexOf(`${folder}/`))}${folder}/`);
    }
  }
  return folders;
}

/** The position in the path where its outermost dependency folder begins. */
function dependencyAt(path: string, marked: ReadonlySet<string>): number | undefined {
  const starts = DEPENDENCIES.filter(({ marker }) => marker === undefined)
    .map(({ folder }) => (path.startsWith(`${folder}/`) ? 0 : path.indexOf(`/${folder}/`) + 1 || -1))
    .filter((at) => at >= 0);
  for (const folder of marked) if (path.startsWith(folder)) starts.push(folder.lastIndexOf('/', folder.length - 2) + 1);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

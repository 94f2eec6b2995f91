import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { readRegular } from '../read-regular.ts';
import type { AllowedChanges } from './dependency-folders.ts';
import { compareFolder, entryOf, recordFolder, withWritten } from './dependency-folders.ts';
import type { Explain } from './lock-changes.ts';
import { explainByLock } from './lock-changes.ts';
import type { Record } from './record.ts';

const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/** Lock files of large workspaces can have tens of megabytes. */
const MANIFEST_BYTES_MAX = 128 * 1024 * 1024;

export type Dependencies = Pick<Record, 'dependencies' | 'helpers'> & {
  /** The lock file next to a folder, at the start. */
  readonly lockBefore: (file: string) => string | undefined;
};

/** The room links to the project's dependencies, so changes in them could not be undone. */
export function dependencyChanges(root: string, given: Dependencies): readonly JudgeChange[] {
  return Object.entries(given.dependencies).flatMap(([folder, before]) => {
    const changes = compareFolder(before, path.join(root, folder), allowedIn(root, folder, given));
    return changes.map(({ file, change }): JudgeChange => ({ path: `${folder}/${file}`, change, stands: true }));
  });
}

function allowedIn(root: string, folder: string, given: Dependencies): AllowedChanges {
  const packages = given.helpers?.packages ?? [];
  const parent = path.join(root, path.dirname(folder));
  const isDeclared = declaredIn([...new Set([parent, root])]);
  let explain: Explain | undefined;
  return {
    root,
    // A package that tests import would judge them.
    isDeclared: (entry) => !packages.includes(entry) && isDeclared(entry),
    isExplained: (file, change) => (explain ??= explainIn(root, folder, given, false))(file, change),
  };
}

function explainIn(root: string, folder: string, { helpers, lockBefore }: Dependencies, isNew: boolean): Explain {
  const lock = lockBeside(folder);
  const texts = { before: lockBefore(lock), now: readText(path.join(root, lock)), packages: helpers?.packages ?? [] };
  return explainByLock(path.join(root, folder), { ...texts, isNew });
}

/** Packages of a folder that did not exist at the start and that the room may have: those that the lock file pins, and that judge nothing. */
export function newPackages(root: string, folder: string, given: Dependencies): ReadonlySet<string> {
  const explain = explainIn(root, folder, given, true);
  const files = Object.keys(recordFolder(path.join(root, folder), root) ?? {});
  const accepted = new Set(files.map(entryOf));
  for (const file of files) if (!explain(file, 'added')) accepted.delete(entryOf(file));
  return accepted;
}

/** The lock file of npm, as a path from the root. */
export function lockBeside(folder: string): string {
  return path.posix.join(path.posix.dirname(folder), 'package-lock.json');
}

/** npm folders that are new. */
export function freshFolders(root: string, ignored: readonly string[], { dependencies }: Record): readonly string[] {
  return ignored
    .map((folder) => folder.replace(/\/$/, ''))
    .filter((folder) => /(?:^|\/)node_modules$/.test(folder) && dependencies[folder] === undefined)
    .filter((folder) => existsSync(path.join(root, folder)));
}

function readText(file: string): string | undefined {
  const read = readRegular(file, MANIFEST_BYTES_MAX);
  return read.kind === 'bytes' ? read.bytes.toString('utf8') : undefined;
}

/** Called when only the checks have run: some of them write into dependency folders, such as a generated client. */
export function settleDependencies(root: string, record: Record): Record {
  const settled = Object.entries(record.dependencies).flatMap(([folder, before]) => {
    const after = withWritten(before, path.join(root, folder), root);
    return after === null ? [] : [[folder, after] as const];
  });
  return settled.length === 0
    ? record
    : { ...record, dependencies: { ...record.dependencies, ...Object.fromEntries(settled) } };
}

/** Named by a manifest, or by a file that a package manager made from it. */
function declaredIn(folders: readonly string[]): (entry: string) => boolean {
  const texts = folders.flatMap((folder) =>
    ['package.json', ...LOCK_FILES].flatMap((name) => readText(path.join(folder, name)) ?? []),
  );
  return (entry) =>
    texts.some(
      (text) =>
        text.includes(`"${entry}"`) ||
        text.includes(`node_modules/${entry}"`) ||
        text.includes(`/${entry}@`) ||
        text.includes(`\n${entry}@`) ||
        text.includes(`'${entry}@`),
    );
}

import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { readRegular } from '../read-regular.ts';
import { compareFolder, withWritten } from './dependency-folders.ts';
import type { Record } from './record.ts';

const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/** Lock files of large workspaces have some tens of megabytes. */
const MANIFEST_BYTES_MAX = 128 * 1024 * 1024;

/** The room has links to the project's dependencies, so what changed in them could not be put back. */
export function dependencyChanges(root: string, { dependencies }: Record): readonly JudgeChange[] {
  return Object.entries(dependencies).flatMap(([folder, before]) => {
    const parent = path.dirname(folder);
    const declared = declaredIn([...new Set([path.join(root, parent), root])]);
    return compareFolder(before, path.join(root, folder), declared).map(({ file, change }): JudgeChange => ({
      path: `${folder}/${file}`,
      change,
      stands: true,
    }));
  });
}

/** Some checks write into dependency folders, such as a client that is generated: called after nothing but the checks ran. */
export function settleDependencies(root: string, record: Record): Record {
  const settled = Object.entries(record.dependencies).flatMap(([folder, before]) => {
    const after = withWritten(before, path.join(root, folder));
    return after === null ? [] : [[folder, after] as const];
  });
  return settled.length === 0
    ? record
    : { ...record, dependencies: { ...record.dependencies, ...Object.fromEntries(settled) } };
}

/** Named by a manifest, or by what a package manager made of it. */
function declaredIn(folders: readonly string[]): (entry: string) => boolean {
  const texts = folders.flatMap((folder) =>
    ['package.json', ...LOCK_FILES].flatMap((name) => {
      const read = readRegular(path.join(folder, name), MANIFEST_BYTES_MAX);
      return read.kind === 'bytes' ? [read.bytes.toString('utf8')] : [];
    }),
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

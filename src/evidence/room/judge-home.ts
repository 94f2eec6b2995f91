import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import { mirrorFolder } from '../../system/mirror-folder.ts';
import { findFiles } from '../glob-walk.ts';
import { hashStart } from '../hash-start.ts';

/** From the path below HOME to the hash of the file's content. */
export type HomeRecord = Readonly<Record<string, string>>;

/** `changed`: dotfiles that differ from the stored ones; none = the real home is used. */
export type HomePlan = {
  readonly real: string;
  readonly changed: readonly string[];
  readonly record: HomeRecord;
};

const FILES_MAX = 500;

/** Stores the dotfiles that runners read. */
export function keepHome(home: string, patterns: readonly string[], into: string): HomeRecord {
  const record: Record<string, string> = {};
  for (const file of homeFiles(home, patterns)) {
    const hash = hashOf(path.join(home, file));
    if (hash === undefined) continue;
    mkdirSync(path.dirname(path.join(into, file)), { recursive: true });
    ignoringErrno(() => copyFileSync(path.join(home, file), path.join(into, file)));
    record[file] = hash;
  }
  return record;
}

/** Dotfiles that differ from the stored ones. */
export function changedHome(home: string, patterns: readonly string[], record: HomeRecord): readonly string[] {
  const now = new Map(homeFiles(home, patterns).map((file) => [file, hashOf(path.join(home, file))]));
  return [...new Set([...Object.keys(record), ...now.keys()])]
    .filter((file) => record[file] !== now.get(file))
    .toSorted();
}

/**
 * A home in which everything links to the real one, except for the dotfiles that runners read: those are as they were stored. Only folders on the
 * path to such a file are created; everything else is a link.
 */
export function makeHome(as: string, home: HomePlan, kept: string): void {
  const { real, changed, record } = home;
  mirrorBelow(
    real,
    as,
    changed.map((file) => file.split('/')),
  );
  for (const file of changed) {
    if (record[file] === undefined) continue;
    mkdirSync(path.dirname(path.join(as, file)), { recursive: true });
    copyFileSync(path.join(kept, file), path.join(as, file));
  }
}

function mirrorBelow(of: string, as: string, changed: readonly (readonly string[])[]): void {
  const names = new Set(changed.map(([name]) => name ?? ''));
  mirrorFolder(of, as, (name) => !names.has(name));
  for (const name of names) {
    const deeper = changed.filter((parts) => parts[0] === name && parts.length > 1).map((parts) => parts.slice(1));
    if (deeper.length > 0) mirrorBelow(path.join(of, name), path.join(as, name), deeper);
  }
}

function homeFiles(home: string, patterns: readonly string[]): readonly string[] {
  return home === '' ? [] : findFiles(home, patterns).paths.slice(0, FILES_MAX);
}

function hashOf(file: string): string | undefined {
  const read = hashStart(file);
  return read.kind === 'hash' ? read.hash : undefined;
}

import { copyFileSync, linkSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import { mirrorFolder } from '../../system/mirror-folder.ts';
import { findFiles } from '../glob-walk.ts';
import { hashStart } from '../hash-start.ts';

/** From the path below HOME to the hash of the file's content and, after a space, its state; an older record has no state. */
export type HomeRecord = Readonly<Record<string, string>>;

/** `changed`: dotfiles that differ from the stored ones; none = the real home is used. */
export type HomePlan = {
  readonly real: string;
  readonly changed: readonly string[];
  readonly record: HomeRecord;
};

const FILES_MAX = 500;

/** Stores the dotfiles that runners read. A program with several names is stored once: rustup has 13 names and 20 MB. */
export function keepHome(home: string, patterns: readonly string[], into: string): HomeRecord {
  const record: Record<string, string> = {};
  const copies = new Map<string, string>();
  for (const file of homeFiles(home, patterns)) {
    const [from, to] = [path.join(home, file), path.join(into, file)];
    const state = stateOf(from);
    const hash = hashOf(from);
    if (hash === undefined) continue;
    mkdirSync(path.dirname(to), { recursive: true });
    const copy = copies.get(state);
    ignoringErrno(() => (copy === undefined ? copyFileSync(from, to) : linkSync(copy, to)));
    copies.set(state, copy ?? to);
    record[file] = `${hash} ${state}`;
  }
  return record;
}

/** Dotfiles that differ from the stored ones. */
export function changedHome(home: string, patterns: readonly string[], record: HomeRecord): readonly string[] {
  const now = homeFiles(home, patterns);
  return [...new Set([...Object.keys(record), ...now])]
    .filter((file) => !isSame(path.join(home, file), record[file]))
    .toSorted();
}

/** Some are programs of many megabytes, so an untouched file is not read again. */
function isSame(file: string, kept: string | undefined): boolean {
  const [hash, state] = kept?.split(' ') ?? [];
  return state === stateOf(file) || hash === hashOf(file);
}

/**
 * A home in which everything links to the real one, except for the dotfiles that runners read: those are as they were stored. Only folders on the
 * path to such a file are created; everything else is a link. Returns a stored file that has changed since.
 */
export function makeHome(as: string, home: HomePlan, kept: string): string | undefined {
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
  return changed.find(
    (file) => record[file] !== undefined && hashOf(path.join(as, file)) !== record[file].split(' ')[0],
  );
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

/** Only the system can set the time of an inode's last change. */
function stateOf(file: string): string {
  const stats = ignoringErrno(() => statSync(file, { bigint: true }));
  return stats === undefined ? 'gone' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('-');
}

function hashOf(file: string): string | undefined {
  const read = hashStart(file);
  return read.kind === 'hash' ? read.hash : undefined;
}

import { readdirSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../system/errno.ts';
import type { GlobLink } from './glob.ts';
import { linkOf, matchesName, parseGlob, SKIPPED_FOLDERS } from './glob.ts';

/** The maximum number of folders and files; a larger tree is cut, which `cut` reports. */
const ENTRIES_MAX = 500_000;
const DEPTH_MAX = 64;
const EVERYTHING = linkOf('**', null);

export type FoundFiles = { readonly paths: readonly string[]; readonly cut: boolean };

type Walk = { readonly cwd: string; readonly paths: Set<string>; entries: number };

type FolderVisit = { readonly folder: string; readonly depth: number };

/**
 * Every file matched by one of the patterns, relative to the project, sorted. A pattern that matches a folder covers everything in it. `**`
 * does not follow linked folders (they may form a cycle); a linked folder that is named, or matched by `*`, is followed.
 */
export function findFiles(cwd: string, globs: readonly string[]): FoundFiles {
  const walk: Walk = { cwd, paths: new Set(), entries: 0 };
  const byHeight = new Map<number, Set<GlobLink>>();
  for (const { up, first } of globs.flatMap(parseGlob)) {
    const links = byHeight.get(up) ?? new Set();
    byHeight.set(up, links.add(first ?? EVERYTHING));
  }
  for (const [up, links] of byHeight) enter(walk, { folder: Array<string>(up).fill('..').join('/'), depth: 0 }, links);
  return { paths: [...walk.paths].toSorted(), cut: walk.entries >= ENTRIES_MAX };
}

function enter(walk: Walk, place: FolderVisit, links: ReadonlySet<GlobLink>): void {
  if (place.depth > DEPTH_MAX) return;
  const awaited = withSkippedDeep(links);
  const entries = ignoringErrno(() => readdirSync(path.resolve(walk.cwd, place.folder), { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    if (walk.entries >= ENTRIES_MAX) return;
    walk.entries += 1;
    visit(walk, place, entry, awaited);
  }
}

function visit(walk: Walk, { folder, depth }: FolderVisit, entry: Dirent, awaited: ReadonlySet<GlobLink>): void {
  const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
  const isLink = entry.isSymbolicLink();
  const isFolder =
    entry.isDirectory() ||
    (isLink && ignoringErrno(() => statSync(path.resolve(walk.cwd, file)).isDirectory()) === true);
  const next = new Set<GlobLink>();
  let matched = false;
  for (const link of awaited) {
    if (link.deep) {
      if (SKIPPED_FOLDERS.has(entry.name)) continue;
      // A linked folder counts as a file here: its target is worth protecting.
      if (!isFolder || isLink) matched ||= link.next === null;
      else next.add(link);
    } else if (SKIPPED_FOLDERS.has(entry.name) ? link.text === entry.name : matchesName(link, entry.name)) {
      if (link.next !== null) next.add(link.next);
      else if (isFolder) next.add(EVERYTHING);
      else matched = true;
    }
  }
  if (matched) walk.paths.add(file);
  if (isFolder && next.size > 0) enter(walk, { folder: file, depth: depth + 1 }, next);
}

/** `**` also matches no folder at all, so the link after it may match here too. */
function withSkippedDeep(links: ReadonlySet<GlobLink>): ReadonlySet<GlobLink> {
  const all = new Set(links);
  // Iterating over a set includes elements added during the iteration.
  for (const link of all) if (link.deep && link.next !== null) all.add(link.next);
  return all;
}

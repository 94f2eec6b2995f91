/**
 * A folder of tests may be a link to a place that no commit of this project contains. In the room it would lead to files that the agent can edit, or
 * to nothing, so the files behind it are stored with the others.
 */
import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';
import type { FileList } from './file-list.ts';
import { LINK_MODE } from './file-list.ts';
import { isBelow } from './paths-out.ts';

const LINKS_MAX = 50;
const FILES_MAX = 5000;

/** The links in `follow` that lead to folders; with `all`, every link to a folder that is not in the list. */
export function followedLinks(root: string, files: FileList, follow: readonly string[] | 'all'): readonly string[] {
  const links = linksIn(files);
  if (follow !== 'all') return links.filter((link) => follow.includes(link) && folderBehind(root, link) !== undefined);
  const found = links.filter((link) => {
    const real = leadsOut(root, files, link);
    return real !== undefined && isFolder(real) && !isBelow(real, root) && countFiles(real, FILES_MAX) >= 0;
  });
  return found.slice(0, LINKS_MAX);
}

/** Links to something that exists and is not in the list. */
export function outwardLinks(root: string, files: FileList): readonly string[] {
  return linksIn(files).filter((link) => leadsOut(root, files, link) !== undefined);
}

/** A relative link to a file or folder of the list. */
export function leadsInside(root: string, files: FileList, link: string): boolean {
  const target = ignoringErrno(() => readlinkSync(path.join(root, link)));
  if (target === undefined || path.isAbsolute(target)) return false;
  const inside = path.posix.join(path.posix.dirname(link), target);
  const found = files.get(inside);
  if (found !== undefined) return found.mode !== LINK_MODE;
  return [...files.keys()].some((file) => file.startsWith(`${inside}/`));
}

function linksIn(files: FileList): readonly string[] {
  return [...files].flatMap(([file, { mode }]) => (mode === LINK_MODE ? [file] : []));
}

function leadsOut(root: string, files: FileList, link: string): string | undefined {
  const real = ignoringErrno(() => realpathSync(path.join(root, link)));
  if (real === undefined || real === root) return undefined;
  if (!isBelow(root, real)) return real;
  const inside = path.relative(root, real).split(path.sep).join('/');
  const isListed = files.has(inside) || [...files.keys()].some((file) => file.startsWith(`${inside}/`));
  return isListed ? undefined : real;
}

function folderBehind(root: string, link: string): string | undefined {
  const real = ignoringErrno(() => realpathSync(path.join(root, link)));
  return real !== undefined && isFolder(real) && !isBelow(real, root) ? real : undefined;
}

function isFolder(file: string): boolean {
  return ignoringErrno(() => statSync(file).isDirectory()) === true;
}

/** How many of the allowed files are left; negative = the folder has more. */
function countFiles(folder: string, allowed: number): number {
  let left = allowed;
  for (const entry of ignoringErrno(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    left = entry.isDirectory() ? countFiles(path.join(folder, entry.name), left - 1) : left - 1;
    if (left < 0) return left;
  }
  return left;
}

import { sha256 } from '../../system/ids.ts';

/** One file as git keeps it: `100644`, `100755` or `120000` (a link), and the hash of its bytes. */
export type FileEntry = { readonly mode: string; readonly blob: string };

/** By path from the root, with slashes. */
export type FileList = ReadonlyMap<string, FileEntry>;

export const LINK_MODE = '120000';
/** A repository inside this one: git stores none of its files. */
const NESTED_MODE = '160000';

export type ParsedList = { readonly files: FileList; readonly nested: readonly string[] };

/** The output of `git ls-files --stage -z`. */
export function parseList(output: string, under = ''): ParsedList {
  const files = new Map<string, FileEntry>();
  const nested: string[] = [];
  for (const line of output.split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const [mode = '', blob = ''] = line.slice(0, tab).split(' ');
    const file = under + line.slice(tab + 1);
    if (mode === NESTED_MODE) nested.push(file);
    else files.set(file, { mode, blob });
  }
  return { files, nested };
}

/** The input of `git update-index -z --index-info`, sorted, so that equal lists give equal text. */
export function listText(files: FileList): string {
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { mode, blob }]) => `${mode} ${blob}\t${file}\0`)
    .join('');
}

export function listHash(files: FileList): string {
  return sha256(listText(files));
}

export function isSameEntry(a: FileEntry | undefined, b: FileEntry | undefined): boolean {
  return a?.mode === b?.mode && a?.blob === b?.blob;
}

/** A file is removed where another path needs a folder: `wins` are the paths that count. */
export function withoutObstacles(files: Map<string, FileEntry>, wins: Iterable<string>): Map<string, FileEntry> {
  const folders = new Set<string>();
  const kept = new Set<string>();
  for (const file of wins) {
    kept.add(file);
    for (let at = file.indexOf('/'); at > 0; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at));
  }
  for (const file of files.keys()) {
    if (kept.has(file)) continue;
    const isBelowFile = parentsOf(file).some((parent) => kept.has(parent));
    if (folders.has(file) || isBelowFile) files.delete(file);
  }
  return files;
}

function parentsOf(file: string): string[] {
  const parents: string[] = [];
  for (let at = file.indexOf('/'); at > 0; at = file.indexOf('/', at + 1)) parents.push(file.slice(0, at));
  return parents;
}

import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RoomLack } from '../../core/room.ts';
import { errnoOf, ignoringErrno } from '../../system/errno.ts';
import { newId } from '../../system/ids.ts';
import type { CommandAnswer, Steps } from '../command-steps.ts';
import type { FileEntry, FileList } from './file-list.ts';
import { parseList } from './file-list.ts';
import type { KeptProject } from './private-git.ts';
import { followedLinks } from './linked-folders.ts';
import { askGit, gitDirOf } from './private-git.ts';

export type Lack = { readonly kind: 'lack'; readonly why: RoomLack; readonly detail: string };

export function isLack(value: object): value is Lack {
  return 'kind' in value && value.kind === 'lack';
}

export type Work = {
  readonly kind: 'work';
  readonly files: FileList;
  /** What git ignores; folders end with a slash, and their content is not listed. */
  readonly ignored: readonly string[];
  /** Links whose files are in `files`, under the name of the link. */
  readonly links: readonly string[];
  /** Folders whose files are in no index of ours: nested repositories, and links. */
  readonly unindexed: readonly string[];
};

export const NESTED_DEPTH_MAX = 5;
export const NESTED_MAX = 200;
const DETAIL_CHARS_MAX = 300;

/**
 * What a commit of everything would contain: tracked or not, but not ignored; including the files of nested repositories. Afterwards their
 * bytes are in our objects. With the `index` of an earlier read, only changes since then are read again; it is written back if `keepIndex`
 * is set. `follow`: which links to folders are replaced by their targets.
 */
export function* readWork(
  keep: KeptProject,
  { keepIndex, follow = [] }: { readonly keepIndex: boolean; readonly follow?: Follow },
): Steps<Work | Lack> {
  const known = path.join(keep.dir, 'index');
  const index = path.join(keep.dir, `index-${newId()}`);
  ignoringErrno(() => copyIndex(known, index));
  try {
    const whole = yield* listFiles(keep, index, { under: '', depth: 0, follow });
    if (whole.kind === 'lack') return whole;
    // An empty project has no index.
    if (keepIndex) ignoringErrno(() => copyIndex(index, known));
    return whole;
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}

/** `all`: the links to folders that are not in the list. */
export type Follow = readonly string[] | 'all';

type Level = { readonly under: string; readonly depth: number; readonly follow: Follow };

/** Keeps its time: git compares whole seconds, and reads a file again if it is as old as the index or newer. */
function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

function* listFiles(keep: KeptProject, index: string, { under, depth, follow }: Level): Steps<Work | Lack> {
  const places = { GIT_INDEX_FILE: index, LIST: `${index}.list`, IGNORED: `${index}.ignored` };
  const script = [
    // Exit code 1: a file cannot be read. It is left out, as in a commit.
    '%git add -A --ignore-errors . || [ $? -eq 1 ] || exit $?',
    '%git ls-files --stage -z > "$LIST" || exit $?',
    '%git ls-files --others --ignored --exclude-standard --directory -z > "$IGNORED"',
  ].join('\n');
  const workTree = path.join(keep.root, under);
  let answer = yield askGit(keep, script, places, workTree);
  for (let tries = 1; hasVanished(answer) && tries < TRIES_MAX; tries += 1)
    answer = yield askGit(keep, script, places, workTree);
  try {
    if (answer.exitCode !== 0 || NOT_STORED.test(answer.stderrTail)) return withoutUnfinished(keep, lackOf(answer));
    const list = parseList(readFileSync(places.LIST, 'utf8'), under);
    const ignored = readFileSync(places.IGNORED, 'utf8')
      .split('\0')
      .filter((name) => name !== '')
      .map((name) => under + name);
    const links = followedLinks(keep.root, list.files, follow);
    const files = new Map([...list.files].filter(([file]) => !links.includes(file)));
    const unindexed = [...list.nested.slice(0, NESTED_MAX), ...links];
    const work: Work = { kind: 'work', files, ignored, links, unindexed };
    if (depth >= NESTED_DEPTH_MAX) return work;
    return yield* withNested(keep, work, unindexed, depth);
  } finally {
    for (const file of [places.LIST, places.IGNORED]) rmSync(file, { force: true });
  }
}

/** On a full disk, git leaves the pack that it could not finish, and the space is needed. */
function withoutUnfinished(keep: KeptProject, lack: Lack): Lack {
  if (lack.why !== 'no-space') return lack;
  const folder = path.join(keep.objects ?? path.join(gitDirOf(keep), 'objects'), 'pack');
  for (const name of ignoringErrno(() => readdirSync(folder)) ?? [])
    if (name.startsWith('tmp_')) rmSync(path.join(folder, name), { force: true });
  return lack;
}

function* withNested(keep: KeptProject, work: Work, nested: readonly string[], depth: number): Steps<Work | Lack> {
  const files = new Map<string, FileEntry>(work.files);
  const ignored = [...work.ignored];
  for (const folder of nested) {
    const index = path.join(keep.dir, `index-${newId()}`);
    try {
      const inside = yield* listFiles(keep, index, { under: `${folder}/`, depth: depth + 1, follow: [] });
      if (inside.kind === 'lack') return inside;
      for (const [file, entry] of inside.files) files.set(file, entry);
      ignored.push(...inside.ignored);
    } finally {
      rmSync(index, { force: true });
    }
  }
  return { ...work, files, ignored };
}

/** A file that is deleted while git reads its folder ends git. */
const VANISHED = /^fatal: .*: No such file or directory$/m;
const TRIES_MAX = 5;

function hasVanished({ exitCode, stderrTail }: CommandAnswer): boolean {
  return exitCode !== 0 && VANISHED.test(stderrTail);
}

/** For a file that was left out: git read it but could not store it. */
const NOT_STORED = /no space left|disk quota|out of disk|input\/output error|file too large/i;

/** Why the system refused a request; `undefined` = the error is our own. */
export function lackOfError(error: unknown): Lack | undefined {
  const errno = errnoOf(error);
  if (errno === undefined) return undefined;
  const detail = (error instanceof Error ? error.message : errno).slice(0, DETAIL_CHARS_MAX);
  if (errno === 'ENOSPC' || errno === 'EDQUOT') return { kind: 'lack', why: 'no-space', detail };
  return { kind: 'lack', why: errno === 'EACCES' || errno === 'EPERM' ? 'not-readable' : 'failed', detail };
}

/** `unable to write file` is all that git reports about a file that it could create but not fill. */
const FULL = /no space left|disk quota|out of disk|unable to write file/i;

/** Why git could not do what was requested. */
export function lackOf(answer: CommandAnswer): Lack {
  const output = `${answer.stderrTail}\n${answer.stdoutTail}`.trim();
  const detail = output.split('\n').at(-1)?.slice(0, DETAIL_CHARS_MAX) ?? '';
  if (answer.timedOut) return { kind: 'lack', why: 'too-large', detail: 'it took too long to read all files' };
  if (answer.exitCode === 127 || answer.trouble === 'not-found') return { kind: 'lack', why: 'git-missing', detail };
  if (FULL.test(output)) return { kind: 'lack', why: 'no-space', detail: lineWith(output, FULL) ?? detail };
  if (hasVanished(answer)) return { kind: 'lack', why: 'files-vanish', detail };
  if (/permission denied/i.test(output)) return { kind: 'lack', why: 'not-readable', detail };
  return { kind: 'lack', why: 'failed', detail };
}

function lineWith(output: string, pattern: RegExp): string | undefined {
  return output
    .split('\n')
    .find((line) => pattern.test(line))
    ?.slice(0, DETAIL_CHARS_MAX);
}

/** The bytes of some files, from our objects; missing blobs are left out. */
export function* readBlobs(keep: KeptProject, blobs: readonly string[]): Steps<ReadonlyMap<string, Buffer>> {
  return new Map(parseBatch(yield* askObjects(keep, blobs, '--batch')));
}

/** How many bytes each has. */
export function* readSizes(keep: KeptProject, blobs: readonly string[]): Steps<ReadonlyMap<string, number>> {
  const lines = (yield* askObjects(keep, blobs, '--batch-check')).toString('latin1').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [blob = '', kind, size] = line.split(' ');
      return kind === 'blob' ? [[blob, Number(size)]] : [];
    }),
  );
}

function* askObjects(keep: KeptProject, blobs: readonly string[], how: '--batch' | '--batch-check'): Steps<Buffer> {
  if (blobs.length === 0) return Buffer.alloc(0);
  const input = path.join(keep.dir, `blobs-${newId()}`);
  const output = `${input}.out`;
  try {
    writeFileSync(input, `${blobs.join('\n')}\n`);
    const script = `%git cat-file ${how} < "$INPUT" > "$OUTPUT"`;
    const answer = yield askGit(keep, script, { INPUT: input, OUTPUT: output });
    return answer.exitCode === 0 ? readFileSync(output) : Buffer.alloc(0);
  } finally {
    for (const file of [input, output]) rmSync(file, { force: true });
  }
}

/** `<hash> blob <size>\n<bytes>\n`, or `<hash> missing\n`. */
function* parseBatch(output: Buffer): Generator<[string, Buffer]> {
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) return;
    const [blob = '', kind = '', size = '0'] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    yield [blob, output.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}

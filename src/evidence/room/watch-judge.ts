/**
 * Judge's files that a run in the room wrote. The product can reach them there, and a test that changes while it runs judges nothing, even
 * if it is restored afterwards: programs cannot set the time of the last change of a file's inode. Only the judge's files are examined, by
 * `lstat`: 50,000 of them take a quarter of a second. Before that, each is compared with the hash under which it was stored.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import type { Judge } from '../judge/classify.ts';
import { isOnlyTests } from '../judge/classify.ts';
import { readChunks } from '../read-regular.ts';
import type { FileList } from './file-list.ts';

const WRITTEN_MAX = 200;
const SNAPSHOT_BYTES_MAX = 1024 * 1024;
const SNAPSHOTS_BYTES_MAX = 16 * 1024 * 1024;
const SAME_NS = 1_000_000n;
/** Stands for all files, if more were written than are remembered. */
const ANY = '*';

/** Files that a run of the untouched project wrote: `written` differ now, `touched` have the same bytes again. */
export type WrittenFiles = { readonly written?: readonly string[]; readonly touched?: readonly string[] };

export type Watch = {
  /** A file that is not the one that was to be placed there. */
  readonly misplaced: string | undefined;
  /** What the checks of the untouched project have written since. */
  readonly written: () => WrittenFiles;
  /** Written, added or removed since. `known`: the result of `written` for the untouched project, whose checks write these files themselves. */
  readonly rewritten: (known: WrittenFiles) => readonly JudgeChange[];
};

/** A file as it was placed in the room. `text`: for a snapshot, which runners extend. */
type Mark = { readonly state: string | undefined; readonly blob: string; readonly text?: string | undefined };

/** The contents of the room: files of the baseline, and texts that replaced some of them. */
type RoomContents = { readonly files: FileList; readonly texts: ReadonlyMap<string, string | undefined> };

/** Call it before anything runs in the room. */
export function watchJudge(root: string, { files, texts }: RoomContents, judge: Judge): Watch {
  const marks = new Map<string, Mark>();
  let left = SNAPSHOTS_BYTES_MAX;
  for (const [file, entry] of files) {
    const role = judge.roleOf(file);
    if (role === undefined && !judge.isMixed(file)) continue;
    const full = path.join(root, file);
    const text = role === 'snapshot' && left > 0 ? readSnapshot(full) : undefined;
    left -= text?.length ?? 0;
    const put = texts.get(file);
    marks.set(file, { state: stateOf(full), blob: put === undefined ? entry.blob : blobOfText(put, 'sha1'), text });
  }
  const folders = markFolders(root, [...marks.keys()]);
  const touched = (): readonly string[] =>
    [...marks].flatMap(([file, { state }]) => (stateOf(path.join(root, file)) === state ? [] : [file]));
  const isSame = (file: string): boolean => {
    const blob = marks.get(file)?.blob ?? '';
    return blob === blobOf(path.join(root, file), algorithmOf(blob));
  };
  const isRemoved = (file: string): boolean => texts.has(file) && texts.get(file) === undefined;
  const others = (): readonly JudgeChange[] => [
    ...addedIn(root, folders, (file) => isHarmless(judge, file)),
    ...renamedIn(root, folders),
  ];
  const misplaced = [...marks.keys()].find((file) => !isSame(file) && !isRemoved(file));
  return {
    misplaced,
    written: () => {
      const found = touched();
      const written = [...found.filter((file) => !isSame(file)), ...others().map((change) => change.path)];
      const same = found.filter(isSame);
      return { ...bounded('written', written), ...bounded('touched', same) };
    },
    rewritten: ({ written = [], touched: same = [] }) => {
      if (written.includes(ANY)) return [];
      const changes = touched().flatMap((file): JudgeChange[] => {
        const full = path.join(root, file);
        const mark = marks.get(file);
        if ((same.includes(file) || same.includes(ANY)) && isSame(file)) return [];
        if (mark?.text !== undefined && isAddedTo(mark.text, readSnapshot(full))) return [];
        return [aChange(file, stateOf(full) === undefined ? 'deleted' : 'modified')];
      });
      return [...changes, ...others()].filter((change) => !written.includes(change.path));
    },
  };
}

function aChange(file: string, change: JudgeChange['change']): JudgeChange {
  return { path: file, change, part: 'while the checks ran', stands: true };
}

function bounded(key: keyof WrittenFiles, found: readonly string[]): WrittenFiles {
  return found.length === 0 ? {} : { [key]: found.length > WRITTEN_MAX ? [ANY] : found };
}

/** Tests write files next to themselves, which is harmless. Files that start or configure a runner are not. */
function isHarmless(judge: Judge, file: string): boolean {
  const role = judge.roleOf(file);
  return role === undefined || isOnlyTests(role) || judge.isGenerated(file) || judge.isDependency(file);
}

type Folder = { readonly names: ReadonlySet<string>; readonly state: string };

/** Folders with judge's files, and those above them. */
function markFolders(root: string, files: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  for (const file of files) {
    let folder = path.posix.dirname(file);
    while (!folders.has(folder)) {
      const full = path.join(root, folder);
      folders.set(folder, { names: new Set(namesIn(full)), state: ownStateOf(full) });
      folder = path.posix.dirname(folder);
    }
  }
  return folders;
}

function addedIn(
  root: string,
  folders: ReadonlyMap<string, Folder>,
  isKnown: (file: string) => boolean,
): readonly JudgeChange[] {
  return [...folders].flatMap(([folder, { names }]) =>
    namesIn(path.join(root, folder))
      .filter((name) => !names.has(name))
      .map((name) => path.posix.join(folder, name))
      .filter((file) => !isKnown(file))
      .map((file) => aChange(file, 'added')),
  );
}

/** If a folder was moved away, replaced by another, and moved back, none of its files look touched. */
function renamedIn(root: string, folders: ReadonlyMap<string, Folder>): readonly JudgeChange[] {
  return [...folders].flatMap(([folder, { state }]) => {
    const now = ownStateOf(path.join(root, folder));
    return now === state || now === WRITTEN_INSIDE ? [] : [aChange(`${folder}/`, 'modified')];
  });
}

const WRITTEN_INSIDE = 'written inside';

/** Creating or removing something in a folder sets both of its times; a change of the folder itself sets only the second. */
function ownStateOf(folder: string): string {
  const found = ignoringErrno(() => lstatSync(folder, { bigint: true }));
  if (found === undefined) return 'gone';
  const apart = found.ctimeNs - found.mtimeNs;
  return apart < SAME_NS && -apart < SAME_NS ? WRITTEN_INSIDE : `${found.ino} ${found.ctimeNs}`;
}

function namesIn(folder: string): readonly string[] {
  return ignoringErrno(() => readdirSync(folder)) ?? [];
}

function stateOf(full: string): string | undefined {
  const found = ignoringErrno(() => lstatSync(full, { bigint: true }));
  return found === undefined ? undefined : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

type Algorithm = 'sha1' | 'sha256';

function algorithmOf(blob: string): Algorithm {
  return blob.length === 64 ? 'sha256' : 'sha1';
}

/** The hash that git uses. */
function blobOf(full: string, algorithm: Algorithm): string {
  const target = ignoringErrno(() => readlinkSync(full));
  if (target !== undefined) return blobOfText(target, algorithm);
  const hash = createHash(algorithm).update(`blob ${ignoringErrno(() => lstatSync(full).size)}\0`);
  const reading = readChunks(full, (chunk) => {
    hash.update(chunk);
    return true;
  });
  return reading === 'read' ? hash.digest('hex') : reading.kind;
}

function blobOfText(text: string, algorithm: Algorithm): string {
  return createHash(algorithm)
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

function readSnapshot(full: string): string | undefined {
  return ignoringErrno(() => (lstatSync(full).size > SNAPSHOT_BYTES_MAX ? undefined : readFileSync(full, 'utf8')));
}

/** Contains every earlier line, in the same order, and more. */
function isAddedTo(before: string, now: string | undefined): boolean {
  const lines = before.split('\n');
  let at = 0;
  for (const line of now?.split('\n') ?? []) if (line === lines[at]) at += 1;
  return at === lines.length && now !== before;
}

/**
 * Judge's files that a run in the room wrote. The product can reach them there, and a test that changes while it runs judges nothing. Snapshots are
 * left out: runners write them.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { JudgeChange } from '../../core/room.ts';
import { ignoringErrno } from '../../system/errno.ts';
import type { Judge } from '../judge/classify.ts';
import { readChunks } from '../read-regular.ts';
import type { FileEntry, FileList } from './file-list.ts';
import { LINK_MODE } from './file-list.ts';

const WRITTEN_MAX = 200;
/** Stands for all of them, where more were written than are remembered. */
const ANY = '*';

export type Watch = {
  /** Written since, whatever is in them now. */
  readonly written: () => readonly string[];
  /** Not as they were laid out. `known`: what `written` said of the untouched project, whose checks write these themselves. */
  readonly rewritten: (known: readonly string[]) => readonly JudgeChange[];
};

/** `files`: what the room was made of. Called before anything ran in it. */
export function watchJudge(root: string, files: FileList, judge: Judge): Watch {
  const marks = new Map<string, { readonly entry: FileEntry; readonly mark: string | undefined }>();
  for (const [file, entry] of files) {
    const role = entry.mode === LINK_MODE ? undefined : judge.roleOf(file);
    if (role !== undefined && role !== 'snapshot') marks.set(file, { entry, mark: markOf(path.join(root, file)) });
  }
  const touched = (): readonly string[] =>
    [...marks].flatMap(([file, { mark }]) => (markOf(path.join(root, file)) === mark ? [] : [file]));
  return {
    written: () => {
      const found = touched();
      return found.length > WRITTEN_MAX ? [ANY] : found;
    },
    rewritten: (known) => {
      if (known.includes(ANY)) return [];
      return touched().flatMap((file): JudgeChange[] => {
        const now = blobOf(path.join(root, file));
        if (known.includes(file) || now === marks.get(file)?.entry.blob || now === 'unreadable') return [];
        const change = now === 'missing' ? 'deleted' : 'modified';
        return [{ path: file, change, part: 'while the checks ran', stands: true }];
      });
    },
  };
}

/** The time of the last change of a file's record cannot be set by programs. */
function markOf(full: string): string | undefined {
  const found = ignoringErrno(() => lstatSync(full, { bigint: true }));
  return found === undefined ? undefined : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** As git names it. */
function blobOf(full: string): string {
  const size = ignoringErrno(() => lstatSync(full).size);
  const hash = createHash('sha1').update(`blob ${size}\0`);
  const reading = readChunks(full, (chunk) => {
    hash.update(chunk);
    return true;
  });
  return reading === 'read' ? hash.digest('hex') : reading.kind;
}

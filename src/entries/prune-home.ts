import { lstatSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pruner, Stray } from '../engine/prune-loops.ts';
import { isRemovable } from '../engine/choose-pruned.ts';
import { endJobs } from '../evidence/end-jobs.ts';
import { deadRooms } from '../evidence/room/make-room.ts';
import { filesIn, filesOf, loopsDir } from '../stores/loop-files.ts';
import { removeFolder, removeLoop } from '../stores/remove-loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import { roomWorldIn } from './room-world.ts';

/** A loop that begins creates its folder first; the journal follows in far less than an hour. */
const BEGIN_MS_MAX = 60 * 60 * 1000;

/** The minimum, even if a shorter time was requested: a demo or a doctor may be at work in its folder, or its user may be looking at it. */
const TEMPORARY_MS_MIN = 24 * 60 * 60 * 1000;

/** Folders of our programs in the system's temporary folder. */
const TEMPORARY = /^tireless-(?:demo|doctor|usage|version)-/u;

export function openPruner(home: string): Pruner {
  return {
    bytesOf: (loop) => bytesBelow(filesOf(home, loop).dir),
    remove: async (loop) => {
      const removal = removeLoop(home, loop, { canRemove: isRemovable });
      if (removal === 'removed') await endJobs(home, loop);
      return removal;
    },
    strays: (beforeMs) =>
      [...deadRooms(roomWorldIn(home).rooms), ...withoutJournal(home), ...oldTemporary(beforeMs)].map(
        (found): Stray => ({ path: found, bytes: bytesBelow(found) }),
      ),
    removeStray: (stray) => removeFolder(stray.path),
  };
}

/** Left by a removal that was killed, or by a start that was killed before its first entry. */
function withoutJournal(home: string): readonly string[] {
  return namesIn(loopsDir(home)).flatMap((name) => {
    const { dir, journal } = filesIn(home, name);
    const folder = ignoringErrno(() => lstatSync(dir));
    const isOurs = folder?.isDirectory() === true && Date.now() - folder.mtimeMs > BEGIN_MS_MAX;
    return isOurs && ignoringErrno(() => statSync(journal)) === undefined ? [dir] : [];
  });
}

/** Only those of this user, because the folder is shared. The newest file of a demo shows whether somebody is still looking at it. */
function oldTemporary(beforeMs: number): readonly string[] {
  const folder = tmpdir();
  const latest = Math.min(beforeMs, Date.now() - TEMPORARY_MS_MIN);
  return namesIn(folder).flatMap((name) => {
    if (!TEMPORARY.test(name)) return [];
    const found = path.join(folder, name);
    const stats = ignoringErrno(() => lstatSync(found));
    const isOwn = stats !== undefined && !stats.isSymbolicLink() && stats.uid === (process.geteuid?.() ?? stats.uid);
    return isOwn && newestBelow(found) < latest ? [found] : [];
  });
}

function bytesBelow(folder: string): number {
  return walk(folder).reduce((bytes, file) => bytes + file.bytes, 0);
}

function newestBelow(folder: string): number {
  return walk(folder).reduce((newest, file) => Math.max(newest, file.changedMs), 0);
}

type Found = { readonly bytes: number; readonly changedMs: number };

/** Follows no links: their targets belong to somebody else. */
function walk(found: string): readonly Found[] {
  const stats = ignoringErrno(() => lstatSync(found));
  if (stats === undefined) return [];
  const own = { bytes: stats.isDirectory() ? 0 : stats.size, changedMs: stats.mtimeMs };
  if (!stats.isDirectory()) return [own];
  return [own, ...namesIn(found).flatMap((name) => walk(path.join(found, name)))];
}

function namesIn(folder: string): readonly string[] {
  return ignoringErrno(() => readdirSync(folder)) ?? [];
}

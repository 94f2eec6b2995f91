import { mkdirSync, rmSync } from 'node:fs';
import { newId } from '../../system/ids.ts';
import path from 'node:path';
import type { Steps } from '../command-steps.ts';
import { beginRepository, rootOf } from './baseline.ts';
import { keepOf } from './clean-room.ts';
import type { FileList } from './file-list.ts';
import { listHash } from './file-list.ts';
import type { RoomWorld, RoomSite } from './furnish.ts';
import type { KeptProject } from './private-git.ts';
import { withOwnObjects } from './private-git.ts';
import { commitOf, readCommit } from './read-commit.ts';
import type { Lack } from './read-work.ts';
import { isLack, readWork } from './read-work.ts';
import { readLinks } from './record.ts';

/**
 * The commit that contains exactly this work, file by file: the one that is checked out, with nothing else in the work tree. `null` = there
 * is none. `except`: the output file, which is not part of the work.
 */
export function* commitOfWork(site: RoomSite, work: string, except: string): Steps<string | null> {
  return yield* withOwnObjects(yield* keepOf(site), (keep) => commitWith(keep, work, except));
}

function* commitWith(keep: KeptProject, work: string, except: string): Steps<string | null> {
  const commit = yield* commitOf(keep.root, 'HEAD');
  if (commit === null) return null;
  const now = yield* readWork(keep, { keepIndex: false, follow: readLinks(keep.dir) });
  if (isLack(now) || listHash(without(now.files, keep.root, except)) !== work) return null;
  const committed = yield* readCommit(keep, commit);
  return !isLack(committed) && listHash(committed.files) === work ? commit : null;
}

/** A checkout without a loop: the hash of its work, and its commit. */
export type Checkout = { readonly kind: 'checkout'; readonly work: string; readonly commit: string | null };

/** Listed in our own repository, which is removed afterwards; it is among the rooms, under the number of this process. */
export function* readCheckout(world: RoomWorld, cwd: string, except: string): Steps<Checkout | Lack> {
  const dir = path.join(world.rooms, `${process.pid}-${newId()}`);
  const keep = { dir, root: yield* rootOf(cwd) };
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    const began = yield* beginRepository({ keep, home: world.home, environment: world.environment });
    if (began !== null) return began;
    const work = yield* readWork(keep, { keepIndex: false });
    if (isLack(work)) return work;
    const hash = listHash(without(work.files, keep.root, except));
    return { kind: 'checkout', work: hash, commit: yield* commitOf(keep.root, 'HEAD') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function without(files: FileList, root: string, except: string): FileList {
  const left = path.relative(root, except).split(path.sep).join('/');
  return new Map([...files].filter(([file]) => file !== left));
}

import path from 'node:path';
import type { LoopId } from '../core/loop.ts';
import { namesIn } from '../system/folder.ts';
import { readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { sha256 } from '../system/ids.ts';
import { makeDurableDir } from './durable-dir.ts';
import { filesOf } from './loop-files.ts';

/** Enough to tell the versions of a file apart; the name is for people. */
const HASH_SHOWN = 12;

/**
 * Keeps the text of a file that is about to be removed, beside the journal of its loop: `loops/<id>/archive/<hash>-<name>`. Durable when
 * it returns, so the caller may then remove the file. The same text is kept only once. Throws a Fault.
 */
export function archiveText(home: string, loop: LoopId, name: string, text: string): string {
  const dir = archiveOf(home, loop);
  const file = path.join(dir, `${sha256(text).slice(0, HASH_SHOWN)}-${path.basename(name)}`);
  if (readTextIfExists(file) === text) return file;
  makeDurableDir(dir);
  writeFileAtomic(file, text, { durable: true });
  return file;
}

/** Every text kept for a loop under this name. Throws a Fault. */
export function archivedTexts(home: string, loop: LoopId, name: string): readonly string[] {
  const dir = archiveOf(home, loop);
  return namesIn(dir)
    .filter((each) => each.slice(HASH_SHOWN) === `-${path.basename(name)}`)
    .flatMap((each) => readTextIfExists(path.join(dir, each)) ?? []);
}

function archiveOf(home: string, loop: LoopId): string {
  return path.join(filesOf(home, loop).dir, 'archive');
}

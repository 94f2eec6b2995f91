import { readFileSync, rmSync } from 'node:fs';
import { Fault, isFault } from '../core/fault.ts';
import type { Clock } from './clock.ts';
import { errnoOf } from './errno.ts';
import { readTimedText, storeFault, tryWriteBeside, writeFileAtomic } from './files.ts';
import { newLoopId, sha256 } from './ids.ts';
import { thisMachine } from './worker-identity.ts';

type Bytes = { readonly text: string; readonly hash: string; readonly changedMs: number; readonly isOurs?: boolean };

/**
 * The sub-millisecond part of the modification time distinguishes a file that we wrote from the same bytes written by someone else. It is set before
 * the rename, so it survives a kill; anyone who writes the file later changes the time. One foreign write in 400 has this part by chance, and then
 * counts as ours. 421 µs, plus the rounding of clocks and file systems.
 */
const MARK_MS = 0.421;
const MARK_SLACK_MS = 0.0012;

type FileEffects = {
  readonly newLoop: () => { readonly loop: string; readonly machine: string };
  readonly readFile: (file: string) => Bytes | null;
  readonly hashText: (text: string) => string;
  readonly replaceFile: (
    file: string,
    was: string | null,
    text: string | null,
    loop?: string,
  ) => 'replaced' | 'changed';
  readonly tryWrite: (file: string, text: string) => void;
};

/** Keeps the text of a file that a loop is about to remove. */
type Archive = (loop: string, file: string, text: string) => unknown;

/** Foreign state files on this disk, for the engine. Synchronous, because hooks and the old programmatic interfaces are. */
export function fileEffects(clock: Clock, archive: Archive = () => {}): FileEffects {
  return {
    newLoop: () => ({ loop: newLoopId(clock.read()), machine: thisMachine() }),
    readFile: readWithHash,
    hashText: (text) => sha256(text),
    replaceFile: (file, was, text, loop) => {
      const now = readWithHash(file);
      // Not atomic with the rename: at the next event, the hash reveals a write in between.
      if ((now?.hash ?? null) !== was) return 'changed';
      if (text === null && now !== null && loop !== undefined) archive(loop, file, now.text);
      if (text === null) remove(file);
      else writeFileAtomic(file, text, { durable: false, timeMs: Math.floor(Date.now()) + MARK_MS });
      return 'replaced';
    },
    tryWrite: tryWriteBeside,
  };
}

function readWithHash(file: string): Bytes | null {
  try {
    const found = readTimedText(file);
    if (found === undefined) return null;
    const { text, mtimeMs: changedMs } = found;
    // A text that cannot be written back unchanged must not be written at all.
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(readFileSync(file))) {
      throw new Fault('STORE_UNREADABLE', `Cannot read ${file}: it is not UTF-8. Save it as UTF-8 and try again.`);
    }
    return { text, hash: sha256(text), changedMs, ...markIn(changedMs) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw isFault(error) ? error : storeFault(error, file, 'read');
  }
}

/** A file system that keeps whole milliseconds or seconds has no mark. */
function markIn(changedMs: number): { readonly isOurs?: boolean } {
  const part = changedMs - Math.floor(changedMs);
  return part === 0 ? {} : { isOurs: Math.abs(part - MARK_MS) <= MARK_SLACK_MS };
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

import { readFileSync, rmSync, statSync } from 'node:fs';
import { Fault, isFault } from '../core/fault.ts';
import type { Clock } from './clock.ts';
import { errnoOf } from './errno.ts';
import { readTextIfExists, storeFault, writeFileAtomic } from './files.ts';
import { newLoopId, sha256 } from './ids.ts';
import { thisMachine } from './worker-identity.ts';

type Bytes = { readonly text: string; readonly hash: string; readonly changedMs: number };

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
};

/** Keeps what stands in a file that a loop is about to remove. */
type Archive = (loop: string, file: string, text: string) => unknown;

/** Foreign state files on this disk, for the engine. Synchronous: hooks and the old programmatic interfaces are. */
export function fileEffects(clock: Clock, archive: Archive = () => {}): FileEffects {
  return {
    newLoop: () => ({ loop: newLoopId(clock.read()), machine: thisMachine() }),
    readFile: readWithHash,
    hashText: (text) => sha256(text),
    replaceFile: (file, was, text, loop) => {
      const now = readWithHash(file);
      // Not atomic with the rename: a writer in between is noticed by the hash at the next event.
      if ((now?.hash ?? null) !== was) return 'changed';
      if (text === null && now !== null && loop !== undefined) archive(loop, file, now.text);
      if (text === null) remove(file);
      else writeFileAtomic(file, text, { durable: false });
      return 'replaced';
    },
  };
}

function readWithHash(file: string): Bytes | null {
  try {
    // Before the text: old text must never get the time of the file that has just replaced it.
    const { mtimeMs: changedMs } = statSync(file);
    const text = readTextIfExists(file);
    if (text === undefined) return null;
    // What cannot be written back as it was must not be written at all.
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(readFileSync(file))) {
      throw new Fault('STORE_UNREADABLE', `Cannot read ${file}: it is not UTF-8. Save it as UTF-8 and try again.`);
    }
    return { text, hash: sha256(text), changedMs };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw isFault(error) ? error : storeFault(error, file, 'read');
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw storeFault(error, file, 'write');
  }
}

import type { LoopId } from '../core/loop.ts';
import type { Cursor } from './cursor.ts';
import { closeCursor, isUnmoved, memoryOf, newCursor, readMore, readQuick, readWhole } from './cursor.ts';
import type { Witness } from './journal-chain.ts';
import { filesOf } from './loop-files.ts';

/** Bounds the memory and the open files of a process that reads many loops; the least recently used cursor is dropped first. */
const CURSORS_MAX = 32;

export type Cursors = {
  /** Up to date with the current file. */
  readonly current: (loop: LoopId) => Cursor;
  /** Cheaper, but may miss that a journal was moved. For a commit, which always follows a load. */
  readonly again: (loop: LoopId) => Cursor;
  readonly close: () => void;
};

export function openCursors(home: string, isQuick = false): Cursors {
  const kept = new Map<LoopId, Cursor>();
  /** What was known about loops whose journal could not be read again: the next look must report the same loss. */
  const missed = new Map<LoopId, Witness>();

  function current(loop: LoopId): Cursor {
    const known = kept.get(loop);
    if (known !== undefined) {
      // Taken out of the map while it changes, so that a cursor that could not be updated is not used again.
      kept.delete(loop);
      const more = orClose(known, () => readMore(known));
      if (more !== undefined) return keep(loop, more);
      closeCursor(known);
    }
    const files = filesOf(home, loop);
    const witness = known === undefined ? missed.get(loop) : memoryOf(known);
    const quick = isQuick && witness === undefined ? readQuick(files) : undefined;
    if (quick !== undefined) return keep(loop, quick);
    const cursor = newCursor(files);
    if (witness !== undefined) missed.set(loop, witness);
    readWhole(cursor, witness);
    missed.delete(loop);
    return keep(loop, cursor);
  }

  function again(loop: LoopId): Cursor {
    const known = kept.get(loop);
    // Quick mode skips the second look, because the first was a moment ago. If someone has written since, the file size after our own line shows it.
    return known !== undefined && (isQuick ? known.descriptor === undefined : isUnmoved(known)) ? known : current(loop);
  }

  function keep(loop: LoopId, cursor: Cursor): Cursor {
    kept.set(loop, cursor);
    for (const [name, oldest] of kept) {
      if (kept.size <= CURSORS_MAX) break;
      kept.delete(name);
      closeCursor(oldest);
    }
    return cursor;
  }

  function close(): void {
    for (const cursor of kept.values()) closeCursor(cursor);
    kept.clear();
  }

  return { current, again, close };
}

function orClose<T>(cursor: Cursor, read: () => T): T {
  try {
    return read();
  } catch (error) {
    closeCursor(cursor);
    throw error;
  }
}

import { isFault } from '../core/fault.ts';
import type { Loop } from '../core/journal.ts';
import type { CrashPoint } from './crash-point.ts';
import type { Cursor } from './cursor.ts';
import { writeHeadMark } from './head-mark.ts';
import { hashAt, revisionOf } from './journal-chain.ts';
import type { SnapshotMark } from './snapshot.ts';
import { isSnapshotDue, writeSnapshot } from './snapshot.ts';

export type KeepingOptions = {
  readonly crashPoint?: (name: CrashPoint) => void;
  readonly warn?: (sentence: string) => void;
  /** Write one after every commit, whatever `isSnapshotDue` says. */
  readonly quick?: boolean;
};

/** The commit is done, so failures here are only reported. If no snapshot is due, a short mark records the newest entry. */
export function keepSnapshot(cursor: Cursor, { crashPoint, warn, quick }: KeepingOptions): void {
  const now = committedLoop(cursor);
  if (now === undefined) return;
  if (quick !== true && !isSnapshotDue(now.loop, now.mark, cursor.snapshot)) {
    keepHeadMark(cursor, now);
    return;
  }
  crashPoint?.('before-snapshot');
  try {
    writeNow(cursor, now);
  } catch (error) {
    if (!isFault(error)) throw error;
    warn?.(`The loop was saved, but not its snapshot, so lists will be slower. ${error.message}`);
  }
  crashPoint?.('after-snapshot');
}

function keepHeadMark({ files }: Cursor, { hash, mark }: CommittedLoop): void {
  try {
    writeHeadMark(files.head, { ...mark, hash });
  } catch (error) {
    if (!isFault(error)) throw error; // The mark lags behind, as after a kill; the next write may fix that.
  }
}

/** Ended loops get no more commits. So if another build folded the snapshot, whoever reads the whole journal writes a new one. */
export function renewSnapshot(cursor: Cursor): void {
  const now = committedLoop(cursor);
  if (!cursor.isSnapshotOutdated || now === undefined) return;
  try {
    writeNow(cursor, now);
  } catch (error) {
    if (!isFault(error)) throw error; // In a read-only home, the journal is read whole each time.
  }
}

type CommittedLoop = { readonly loop: Loop; readonly hash: string; readonly mark: SnapshotMark };

function committedLoop({ loop, scan }: Cursor): CommittedLoop | undefined {
  const revision = revisionOf(scan.chain);
  const hash = hashAt(scan.chain, revision);
  if (loop === null || typeof hash !== 'string') return undefined;
  return { loop, hash, mark: { revision, end: scan.end, at: scan.last.at } };
}

function writeNow(cursor: Cursor, { loop, hash, mark }: CommittedLoop): void {
  writeSnapshot(cursor.files.snapshot, { ...mark, hash, ...cursor.scan.last, loop });
  cursor.snapshot = mark;
  cursor.isSnapshotOutdated = false;
}

/**
 * Which entry is the newest, kept apart from the journal: a chain cannot tell that its end was cut off, or that its last line was changed. Written
 * after the commit it tells of, in place and without a flush, so it may lag behind the journal and is never ahead of it. Whoever writes a
 * snapshot needs no mark: a snapshot is one. Anything odd about it = there is none.
 */
import { overwriteOwn, readShort } from '../system/files.ts';
import { quickSum } from './quick-sum.ts';

/** `end`: all bytes the journal had. */
export type HeadMark = { readonly revision: number; readonly hash: string; readonly end: number };

const MARK = /^(\d{1,15}) (\d{1,15}) ([0-9a-f]{64}) ([0-9a-f]{16})\n$/u;

export function writeHeadMark(file: string, { revision, end, hash }: HeadMark): void {
  const text = `${revision} ${end} ${hash}`;
  overwriteOwn(file, `${text} ${quickSum(Buffer.from(text))}\n`);
}

export function readHeadMark(file: string): HeadMark | undefined {
  const [, revision, end, hash, sum] = MARK.exec(readShort(file) ?? '') ?? [];
  if (hash === undefined || sum !== quickSum(Buffer.from(`${revision} ${end} ${hash}`))) return undefined;
  return { revision: Number(revision), end: Number(end), hash };
}

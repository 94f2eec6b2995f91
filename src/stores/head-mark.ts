/**
 * Which entry is the newest, kept apart from the journal: a chain cannot show that its end was cut off, or that its last line was changed. Written
 * after the commit it describes, in place and without a flush, so it may lag behind the journal but is never ahead of it. A snapshot serves as
 * a mark itself. Anything odd about the file = there is no mark.
 */
import { overwriteOwn, readShort } from '../system/files.ts';
import { quickSum } from './quick-sum.ts';

/** `end`: the journal's total size in bytes. */
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

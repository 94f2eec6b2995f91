import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import type { LoopId } from '../core/loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import { filesOf } from './loop-files.ts';

/** Two files alternate, so this is half of what a loop's activity can use on disk. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_BYTES_MAX = 256 * 1024;

/**
 * What the agent does, live, for people who watch. Never synced and never part of a decision: losing a line loses no fact, so a full disk
 * is a return value here and not a Fault. The next commit will report it loudly.
 */
export type ActivityLog = {
  /** `false` = it could not be written. A line break inside `line` would make it two. */
  readonly append: (line: string) => boolean;
  /** The last whole lines, oldest first; at most `bytesMax` bytes of them. */
  readonly readTail: (bytesMax?: number) => readonly string[];
};

export function activityLog(home: string, loop: LoopId): ActivityLog {
  const files = filesOf(home, loop);
  let size: number | undefined;

  function append(line: string): boolean {
    const text = `${line}\n`;
    const bytes = Buffer.byteLength(text);
    size ??= ignoringErrno(() => statSync(files.activity, { throwIfNoEntry: false }))?.size ?? 0;
    if (size > 0 && size + bytes > FILE_BYTES_MAX) {
      ignoringErrno(() => renameSync(files.activity, files.activityBefore));
      size = 0;
    }
    size += bytes;
    return ignoringErrno(() => (appendFileSync(files.activity, text, { mode: 0o600 }), true)) ?? false;
  }

  function readTail(bytesMax: number = TAIL_BYTES_MAX): readonly string[] {
    const now = ignoringErrno(() => lastLines(files.activity, bytesMax)) ?? { lines: [], bytes: 0 };
    if (now.bytes >= bytesMax) return now.lines;
    const before = ignoringErrno(() => lastLines(files.activityBefore, bytesMax - now.bytes));
    return [...(before?.lines ?? []), ...now.lines];
  }

  return { append, readTail };
}

function lastLines(file: string, bytesMax: number): { readonly lines: readonly string[]; readonly bytes: number } {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(0, size - bytesMax);
    const buffer = Buffer.alloc(size - start);
    const bytes = readSync(descriptor, buffer, 0, buffer.length, start);
    const text = buffer.subarray(0, bytes).toString('utf8');
    // The text begins in the middle of a line, unless it is the start of the file; nothing complete follows the last newline.
    const whole = text.slice(start === 0 ? 0 : text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1);
    return { lines: whole.split('\n').filter((line) => line !== ''), bytes };
  } finally {
    closeSync(descriptor);
  }
}

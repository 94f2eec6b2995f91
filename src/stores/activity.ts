import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import type { ActivityLine } from '../core/activity-line.ts';
import type { LoopId } from '../core/loop.ts';
import { ignoringErrno } from '../system/errno.ts';
import type { LoopFiles } from './loop-files.ts';
import { filesOf } from './loop-files.ts';

/** Two files alternate, so this is half of what a loop's activity can use on disk. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_BYTES_MAX = 256 * 1024;
const NEWLINE = 10;

/**
 * What the agent and the checks print, live, for people who watch or look later. Never synced and never part of a decision: losing a line
 * loses no fact, so a full disk is a return value here and not a Fault. The next commit will report it loudly.
 */
export type ActivityLog = {
  /** `false` = it could not be written. A line break inside `line` would split it in two. */
  readonly append: (line: string) => boolean;
  /** The last whole lines, oldest first; at most `bytesMax` bytes of them. */
  readonly readTail: (bytesMax?: number) => readonly string[];
  /** Every whole line that was not read yet, oldest first. The first call returns everything that is kept. */
  readonly reader: () => () => readonly string[];
};

export function activityLog(home: string, loop: LoopId): ActivityLog {
  const files = filesOf(home, loop);
  function append(line: string): boolean {
    const text = `${line}\n`;
    const bytes = Buffer.byteLength(text);
    // Checked every time, because the checks of a session run in other processes that write here too.
    const size = ignoringErrno(() => statSync(files.activity, { throwIfNoEntry: false }))?.size ?? 0;
    const note = size > 0 && size + bytes > FILE_BYTES_MAX ? makeRoom(files) : '';
    return ignoringErrno(() => (appendFileSync(files.activity, `${note}${text}`, { mode: 0o600 }), true)) ?? false;
  }

  function readTail(bytesMax: number = TAIL_BYTES_MAX): readonly string[] {
    const now = ignoringErrno(() => lastLines(files.activity, bytesMax)) ?? { lines: [], bytes: 0 };
    if (now.bytes >= bytesMax) return now.lines;
    const before = ignoringErrno(() => lastLines(files.activityBefore, bytesMax - now.bytes));
    return [...(before?.lines ?? []), ...now.lines];
  }

  return { append, readTail, reader: () => readerOf(files) };
}

/** Drops the older of the two files; the new one begins with a note about that. */
function makeRoom(files: LoopFiles): string {
  const isFirst = ignoringErrno(() => statSync(files.activityBefore, { throwIfNoEntry: false })) === undefined;
  ignoringErrno(() => renameSync(files.activity, files.activityBefore));
  if (isFirst) return '';
  const line: ActivityLine = { at: '', iteration: 0, kind: 'dropped', text: '' };
  return `${JSON.stringify(line)}\n`;
}

/** A file is identified by its inode: after a rotation, the rest of the old file is under another name. */
function readerOf(files: LoopFiles): () => readonly string[] {
  let read: { readonly file: number; readonly bytes: number } | null = null;
  return () => {
    const lines: string[] = [];
    for (const file of [files.activityBefore, files.activity]) {
      const number = ignoringErrno(() => statSync(file, { throwIfNoEntry: false }))?.ino;
      if (number === undefined) continue;
      const isOlder = file === files.activityBefore && read !== null && read.file !== number;
      if (isOlder) continue;
      const from: number = read?.file === number ? read.bytes : 0;
      const part = ignoringErrno(() => wholeLines(file, from));
      if (part === undefined) continue;
      lines.push(...part.lines);
      read = { file: number, bytes: part.end };
    }
    return lines;
  };
}

/** Reads from `from` to the last whole line. */
function wholeLines(file: string, from: number): { readonly lines: readonly string[]; readonly end: number } {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
    const bytes = readSync(descriptor, buffer, 0, buffer.length, from);
    const end = buffer.subarray(0, bytes).lastIndexOf(NEWLINE) + 1;
    const text = buffer.subarray(0, end).toString('utf8');
    return { lines: text.split('\n').filter((line) => line !== ''), end: from + end };
  } finally {
    closeSync(descriptor);
  }
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

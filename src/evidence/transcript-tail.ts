import { constants, fstatSync, readSync } from 'node:fs';
import type { RawLine, ReadLimits, TranscriptReader } from '../engine/ports.ts';
import { utf8Line } from '../system/text-of.ts';
import { withTranscript } from './transcript-bytes.ts';

const CHUNK_BYTES_FIRST = 32 * 1024;
const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const SCANNED_BYTES_MAX = 256 * 1024 * 1024;

/** Usually a tenth of a second. On a busy machine the host may take seconds, and a claim would be missed if the file were read too early. */
const AWAITED_MS_MAX = 10_000;
const AWAITED_STEP_MS = 10;
const AWAITED_LINES_MAX = 16;

export const transcriptReader: TranscriptReader = { readBackwards, endIncludes, awaitText, textOf: utf8Line };

/** A host that never writes the text costs this much time and no more. */
function awaitText(transcript: string, text: string, msMax: number = AWAITED_MS_MAX): void {
  const hasText = (lines: Iterable<RawLine>): boolean => {
    let left = AWAITED_LINES_MAX;
    for (const line of lines) {
      if (line.includes(text)) return true;
      left -= 1;
      if (left === 0) break;
    }
    return false;
  };
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < msMax && readBackwards(transcript, hasText) !== true; waited += AWAITED_STEP_MS)
    Atomics.wait(still, 0, 0, AWAITED_STEP_MS);
}

function readBackwards<T>(
  transcript: string,
  read: (lines: Iterable<RawLine>) => T,
  limits: ReadLimits = {},
): T | null {
  return readRegular(transcript, (descriptor, size) => read(linesBackwards(descriptor, size, limits)));
}

function endIncludes(transcript: string, text: string, bytes: number): boolean {
  const hasText = (descriptor: number, size: number): boolean => {
    const end = Buffer.allocUnsafeSlow(Math.min(size, bytes));
    return end.subarray(0, fill(descriptor, end, size - end.length, end.length)).includes(text);
  };
  return readRegular(transcript, hasText) === true;
}

function readRegular<T>(transcript: string, read: (descriptor: number, size: number) => T): T | null {
  return withTranscript(transcript, (descriptor) => {
    const { mode, size } = fstatSync(descriptor);
    // The size is read once: anything written after this belongs to a later stop.
    return (mode & constants.S_IFMT) === constants.S_IFREG ? read(descriptor, size) : null;
  });
}

/** Whole lines, last line first. Split as bytes, so that a character that spans two chunks is never cut. */
function* linesBackwards(descriptor: number, size: number, limits: ReadLimits): Generator<RawLine> {
  const lineBytesMax = limits.lineBytesMax ?? LINE_BYTES_MAX;
  let chunkBytes = limits.chunkBytes ?? CHUNK_BYTES_FIRST;
  const readText = textReader(descriptor);
  // The end of a line whose beginning has not been read yet. A line that grows too long is dropped.
  let rest = '';
  let restBytes = 0;
  const joined = (piece: string): string => (restBytes + piece.length > lineBytesMax ? '' : piece + rest);
  let end = size;
  const stop = Math.max(0, size - (limits.scannedBytesMax ?? SCANNED_BYTES_MAX));
  while (end > stop) {
    const start = Math.max(stop, end - chunkBytes);
    const chunk = readText(start, end);
    let lineEnd = chunk.length;
    for (let at = chunk.lastIndexOf('\n'); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf('\n', at - 1)) {
      const line = joined(chunk.slice(at + 1, lineEnd));
      if (line !== '') yield line;
      rest = '';
      restBytes = 0;
      lineEnd = at;
    }
    rest = joined(chunk.slice(0, lineEnd));
    restBytes += lineEnd;
    end = start;
    if (limits.chunkBytes === undefined) chunkBytes = Math.min(chunkBytes * 2, CHUNK_BYTES_MAX);
  }
  // A line that begins before the bound is incomplete.
  if (stop === 0 && rest !== '') yield rest;
}

/** Uses one buffer for all reads. Returns less if the file was truncated meanwhile. */
function textReader(descriptor: number): (start: number, end: number) => string {
  let buffer = Buffer.allocUnsafeSlow(0);
  return (start, end) => {
    const length = end - start;
    if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
    return buffer.toString('latin1', 0, fill(descriptor, buffer, start, length));
  };
}

/** Returns how many bytes it read. */
function fill(descriptor: number, buffer: Buffer, start: number, length: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, buffer, filled, length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

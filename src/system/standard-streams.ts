import { readSync, writeSync } from 'node:fs';
import { errnoOf } from './errno.ts';

const CHUNK_BYTES = 64 * 1024;
const BUSY_PAUSE_MS = 5;

/**
 * Reads all of the input at once: loading Node's streams would take 7 ms, more than everything a hook does. Input beyond `bytesMax` is not
 * read to its end.
 */
export function readInput(bytesMax: number): string {
  const chunks: { readonly chunk: Buffer; readonly count: number }[] = [];
  for (let bytes = 0; bytes <= bytesMax;) {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const count = whenReady(() => readSync(0, chunk));
    // `undefined`: how Windows reports a closed pipe.
    if (count === undefined || count === 0) break;
    bytes += count;
    chunks.push({ chunk, count });
  }
  // There is nearly always just one.
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first.chunk.toString('utf8', 0, first.count);
  return Buffer.concat(chunks.map(({ chunk, count }) => chunk.subarray(0, count))).toString('utf8');
}

/** If the reader is gone, there is nobody left to write to. */
export function writeOutput(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    const count = whenReady(() => writeSync(stream, bytes, written));
    if (count === undefined) return;
    written += count;
  }
}

/** A host may pass a non-blocking pipe. `undefined` = the other end is closed. */
function whenReady(ask: () => number): number | undefined {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EOF' || errno === 'EPIPE') return undefined;
      if (errno !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
  }
}

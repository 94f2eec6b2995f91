/** Compiled code that is kept beside its source: compiling it at every stop would take 7 to 13 ms. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Compiled code is about twice the size of its source. */
const TIMES_SOURCE_MAX = 8;

/** `stops`: how many stops added the functions that they called. */
export type KeptCode = { readonly source: string; readonly code: Uint8Array; readonly stops: number };

/**
 * Reads the file of `keepCode`: `sourceBytes` of source, its code, and one byte for `stops`. Source and code are read into the same memory, one after
 * the other, because untouched memory is slow. No `fstat`: anything larger than the buffer is not ours.
 */
export function readKept(file: string, sourceBytes: number): KeptCode | undefined {
  try {
    const memory = Buffer.allocUnsafeSlow(sourceBytes * TIMES_SOURCE_MAX);
    const descriptor = openSync(file, 'r');
    const source = memory.toString('latin1', 0, readSync(descriptor, memory, 0, sourceBytes, null));
    const codeBytes = readSync(descriptor, memory, 0, memory.length, null) - 1;
    closeSync(descriptor);
    if (source.length !== sourceBytes || codeBytes < 0) return undefined;
    return { source, code: new Uint8Array(memory.buffer, 0, codeBytes), stops: memory[codeBytes] ?? 0 };
  } catch {
    return undefined; // Whatever the error is, everything works without this file.
  }
}

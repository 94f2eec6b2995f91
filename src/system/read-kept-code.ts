import { closeSync, openSync, readSync } from 'node:fs';
import { latin1Of } from './text-of.ts';

/** Compiled code is about twice its source. */
const TIMES_SOURCE_MAX = 8;

/**
 * What `keepCode` kept: `sourceBytes` of source, and behind them its code. Not asked how long it is: only what is read takes memory, and what
 * is longer is not ours.
 */
export function readKept(
  file: string,
  sourceBytes: number,
): { readonly source: string; readonly code: Uint8Array } | undefined {
  try {
    const both = Buffer.allocUnsafeSlow(sourceBytes * TIMES_SOURCE_MAX);
    const descriptor = openSync(file, 'r');
    const bytes = readSync(descriptor, both);
    closeSync(descriptor);
    // Shorter than its source: the second throws.
    return { source: latin1Of(both, sourceBytes), code: new Uint8Array(both.buffer, sourceBytes, bytes - sourceBytes) };
  } catch {
    return undefined; // Whatever it is: it runs without, too.
  }
}

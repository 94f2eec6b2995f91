import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../system/errno.ts';

export type Read =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large'; readonly bytesMax: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

const CHUNK_BYTES = 64 * 1024;
/** One for all: some hundreds of files are read in a row. */
const spare: Buffer[] = [];

/** A whole file, if it is not larger than allowed. */
export function readRegular(file: string, bytesMax: number): Read {
  const chunks: Buffer[] = [];
  let size = 0;
  const reading = readChunks(file, (chunk) => {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    return size <= bytesMax;
  });
  if (reading !== 'read') return reading;
  return size > bytesMax ? { kind: 'too-large', bytesMax } : { kind: 'bytes', bytes: Buffer.concat(chunks, size) };
}

/**
 * Hand over a file piece by piece, until `take` has enough. Follows symbolic links. Only regular files are read: a pipe would wait for
 * a writer for ever, a device may have no end. The piece is used again after `take` returns. Never throws for what the system refuses.
 */
export function readChunks(
  file: string,
  take: (chunk: Uint8Array) => boolean,
): 'read' | Extract<Read, { kind: 'missing' | 'unreadable' }> {
  try {
    // Without O_NONBLOCK the opening of a pipe waits already.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(descriptor).isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
      const buffer = spare.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES);
      for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer)) {
        if (!take(buffer.subarray(0, count))) break;
      }
      if (spare.length === 0) spare.push(buffer);
      return 'read';
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return errno === 'ENOENT' || errno === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable', reason: errno };
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../system/errno.ts';

export type FileRead =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large'; readonly bytesMax: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

const CHUNK_BYTES = 64 * 1024;
/** Shared, because hundreds of files are read in a row. */
const spare: Buffer[] = [];

/** A whole file, if it is not too large. */
export function readRegular(file: string, bytesMax: number): FileRead {
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
 * Passes a file to `take` chunk by chunk, until `take` has enough. Follows symbolic links. Only regular files are read: a pipe could wait for
 * a writer forever, and a device may be endless. The chunk is reused after `take` returns. Never throws if the system refuses access.
 */
export function readChunks(
  file: string,
  take: (chunk: Uint8Array) => boolean,
): 'read' | Extract<FileRead, { kind: 'missing' | 'unreadable' }> {
  try {
    // Without O_NONBLOCK, even opening a pipe blocks.
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

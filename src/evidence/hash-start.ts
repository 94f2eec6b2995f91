import { createHash } from 'node:crypto';
import { readChunks } from './read-regular.ts';

/** Changes in a judge's file beyond this point are not noticed. */
const START_BYTES_MAX = 1024 * 1024;

export type StartHash =
  | { readonly kind: 'hash'; readonly hash: string }
  | Exclude<ReturnType<typeof readChunks>, 'read'>;

/** The hash of a regular file's first bytes. Never throws if the system refuses access. */
export function hashStart(file: string): StartHash {
  const hash = createHash('sha256');
  let left = START_BYTES_MAX;
  const reading = readChunks(file, (chunk) => {
    hash.update(chunk.subarray(0, left));
    return (left -= chunk.length) > 0;
  });
  return reading === 'read' ? { kind: 'hash', hash: hash.digest('hex') } : reading;
}

/**
 * Values too large for a journal line, one file each, named by the hash of its bytes: written whole and durable before the entry
 * that refers to it, never changed, and shared by entries with the same value.
 */
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { readTextIfExists } from '../system/files.ts';
import { sha256 } from '../system/ids.ts';

/** `text` is JSON, so that lone surrogates and any value survive UTF-8. */
export type Blob = { readonly hash: string; readonly text: string; readonly bytes: number };

/** Large enough for the end of an agent's message in any script: each blob would cost two more flushes at every stop. */
export const STRING_BYTES_MAX: number = 6 * 1024;

export const REF_KEY = '$blob';
export const LIKE_REF_KEY: RegExp = /^\$+blob$/u;

export function blobOf(text: string): Blob {
  return { hash: sha256(text), text, bytes: Buffer.byteLength(text) };
}

export function readBlob(dir: string, hash: string): string {
  const file = path.join(dir, path.basename(hash));
  const text = readTextIfExists(file);
  const advice = 'Restore it from a backup, or start a new loop.';
  if (text === undefined)
    throw new Fault(
      'STORE_UNREADABLE',
      `Cannot read ${file}: it is missing, and the journal beside it needs it. ${advice}`,
    );
  if (sha256(text) !== hash)
    throw new Fault('STORE_UNREADABLE', `Cannot use ${file}: its content is not what was written. ${advice}`);
  return text;
}

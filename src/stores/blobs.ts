/**
 * Values too large for a journal line, one file each, named by the hash of its bytes: written whole and durable before the entry
 * that refers to it, never changed, shared by entries that hold the same value.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { readTextIfExists, syncDirectory, writeFileAtomic } from '../system/files.ts';
import { sha256 } from '../system/ids.ts';
import type { CrashPoint } from './crash-point.ts';
import { makeDurableDir } from './durable-dir.ts';
import { asking } from './loop-files.ts';

/** `text` is JSON, so that lone surrogates and any value survive UTF-8. */
export type Blob = { readonly hash: string; readonly text: string; readonly bytes: number };

export function blobOf(text: string): Blob {
  return { hash: sha256(text), text, bytes: Buffer.byteLength(text) };
}

export function writeBlob(dir: string, blob: Blob, crashPoint: (name: CrashPoint) => void): void {
  const file = path.join(dir, blob.hash);
  if (asking(file, 'read', () => statSync(file, { throwIfNoEntry: false }))?.size === blob.bytes) {
    // Whoever wrote it may not have come to syncing its name yet.
    asking(dir, 'write', () => syncDirectory(dir));
    return;
  }
  if (!existsSync(dir)) makeDurableDir(dir);
  crashPoint('before-blob');
  writeFileAtomic(file, blob.text, { durable: true });
  crashPoint('after-blob');
}

export function readBlob(dir: string, hash: string): string {
  const file = path.join(dir, path.basename(hash));
  const text = readTextIfExists(file);
  const advice = 'Restore it from a backup, or start a new loop.';
  if (text === undefined)
    throw new Fault(
      'STORE_UNREADABLE',
      `Cannot read ${file}: it is gone, and the journal beside it needs it. ${advice}`,
    );
  if (sha256(text) !== hash)
    throw new Fault('STORE_UNREADABLE', `Cannot use ${file}: its bytes are not the ones that were written. ${advice}`);
  return text;
}

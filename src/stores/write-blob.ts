import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { syncDirectory, writeFileAtomic } from '../system/files.ts';
import type { Blob } from './blobs.ts';
import type { CrashPoint } from './crash-point.ts';
import { makeDurableDir } from './durable-dir.ts';
import { withStoreFaults } from './loop-files.ts';

export function writeBlob(dir: string, blob: Blob, crashPoint: (name: CrashPoint) => void): void {
  const file = path.join(dir, blob.hash);
  if (withStoreFaults(file, 'read', () => statSync(file, { throwIfNoEntry: false }))?.size === blob.bytes) {
    // Whoever wrote it may not have synced its name yet.
    withStoreFaults(dir, 'write', () => syncDirectory(dir));
    return;
  }
  if (!existsSync(dir)) makeDurableDir(dir);
  crashPoint('before-blob');
  writeFileAtomic(file, blob.text, { durable: true });
  crashPoint('after-blob');
}
